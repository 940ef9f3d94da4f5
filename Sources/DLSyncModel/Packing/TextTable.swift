/// A hash table from texts to the numbers of their owners. The texts stay where they are: the table holds 8 bytes a slot
/// and asks its user to compare, so a million paths cost 16 MiB and no allocation each.
///
/// Texts are bytes here. Swift's own string comparison takes the two Unicode forms of `é` for one text; a file system
/// usually does not.
package struct TextTable: Sendable {
  private var slots: [(hash: UInt32, owner: Int32)]
  private var count = 0

  package init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: (0, -1), count: size)
  }

  /// The owner of an equal text, or nil after making `owner` the owner of this one.
  package mutating func insert(_ hash: UInt32, _ owner: Int, isEqual: (Int) -> Bool) -> Int? {
    if count * 2 >= slots.count { grow() }
    let (slot, found) = locate(hash, isEqual)
    if let found { return found }
    slots[slot] = (hash, Int32(owner))
    count += 1
    return nil
  }

  /// The owner of an equal text.
  package func find(_ hash: UInt32, isEqual: (Int) -> Bool) -> Int? { locate(hash, isEqual).owner }

  private func locate(_ hash: UInt32, _ isEqual: (Int) -> Bool) -> (slot: Int, owner: Int?) {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot].owner >= 0 {
      if slots[slot].hash == hash, isEqual(Int(slots[slot].owner)) { return (slot, Int(slots[slot].owner)) }
      slot = (slot + 1) & mask
    }
    return (slot, nil)
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: (0, -1), count: old.count * 2)
    for taken in old where taken.owner >= 0 { slots[locate(taken.hash) { _ in false }.slot] = taken }
  }
}
