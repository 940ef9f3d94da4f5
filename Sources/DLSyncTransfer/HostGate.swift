import DLSyncModel

/// Bounds how many transfers of one queue are with one host at a time; the rest stand in line, first come first served.
struct HostGate<Visitor> {
  struct Door: Hashable {
    let queue: ObjectIdentifier
    let host: String
  }

  private struct Room {
    var inside = 0
    var line: [Visitor] = []

    mutating func admit(_ visitor: Visitor, limit: Int) -> Bool {
      guard inside < limit else {
        line.append(visitor)
        return false
      }
      inside += 1
      return true
    }
  }

  private var rooms: [Door: Room] = [:]

  /// True when the visitor is in; else it waits until `leave` names it.
  mutating func enter(_ door: Door, limit: Int, _ visitor: Visitor) -> Bool {
    rooms[door, default: Room()].admit(visitor, limit: limit)
  }

  /// One goes out; the one that is in instead, if any waits.
  mutating func leave(_ door: Door) -> Visitor? {
    guard var room = rooms[door] else { return nil }
    guard room.line.isEmpty else {
      let next = room.line.removeFirst()
      rooms[door] = room
      return next
    }
    room.inside -= 1
    rooms[door] = room.inside == 0 ? nil : room
    return nil
  }

  /// A visitor gives up waiting.
  mutating func giveUp(_ door: Door, where matches: (Visitor) -> Bool) {
    rooms[door]?.line.removeAll(where: matches)
  }
}
