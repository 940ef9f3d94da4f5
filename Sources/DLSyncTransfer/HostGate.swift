import DLSyncModel

/// One host as one queue sees it.
struct HostDoor: Hashable {
  let queue: ObjectIdentifier
  let host: String
}

/// Bounds how many transfers of one queue are with one host at a time; the rest stand in line, first come first served.
struct HostGate<Visitor> {
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

  private var rooms: [HostDoor: Room] = [:]

  /// True when the visitor is in; else it waits until `leave` names it.
  mutating func enter(_ door: HostDoor, limit: Int, _ visitor: Visitor) -> Bool {
    rooms[door, default: Room()].admit(visitor, limit: limit)
  }

  /// One goes out; the one that is in instead, if any waits.
  mutating func leave(_ door: HostDoor) -> Visitor? {
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
  mutating func giveUp(_ door: HostDoor, where matches: (Visitor) -> Bool) {
    rooms[door]?.line.removeAll(where: matches)
  }
}

/// Names the door of a URL. Files of one host tend to follow one another, so the last answer is tried first: cutting the
/// host out of a URL costs more.
final class DoorCache {
  private var origin = ""
  private var last: HostDoor?

  func door(_ settings: TransferSettings, _ url: SourceURL) -> HostDoor {
    let queue = ObjectIdentifier(settings)
    if let last, last.queue == queue, url.text.utf8.starts(with: origin.utf8) { return last }
    let door = HostDoor(queue: queue, host: url.host)
    // With the slash: else "http://a" would answer for "http://ab".
    origin = url.origin + "/"
    last = door
    return door
  }
}
