import DLSyncModel
import Glibc

/// A hash table from texts to the numbers of their owners. The texts stay where they are: the table holds 8 bytes a slot
/// and asks its user to compare, so a million paths cost 16 MiB and no allocation each.
///
/// Texts are bytes here. Swift's own string comparison takes the two Unicode forms of `é` for one text; a file system
/// usually does not.
struct TextTable {
  private var slots: [(hash: UInt32, owner: Int32)]
  private var count = 0

  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: (0, -1), count: size)
  }

  /// The owner of an equal text, or nil after making `owner` the owner of this one.
  mutating func insert(_ hash: UInt32, _ owner: Int, isEqual: (Int) -> Bool) -> Int? {
    if count * 2 >= slots.count { grow() }
    let (slot, found) = locate(hash, isEqual)
    if let found { return found }
    slots[slot] = (hash, Int32(owner))
    count += 1
    return nil
  }

  /// The owner of an equal text.
  func find(_ hash: UInt32, isEqual: (Int) -> Bool) -> Int? { locate(hash, isEqual).owner }

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

extension FileEntry {
  /// Lends the bytes of the URL's text.
  func withURLBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { urlBytes.withUnsafeBytes(body) }

  /// Lends the bytes of the destination's path.
  func withPathBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { pathBytes.withUnsafeBytes(body) }
}

extension ArraySlice<UInt8> {
  /// Whether both are the same bytes.
  func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
    withUnsafeBytes { mine in other.withUnsafeBytes { mine.hasSameBytes(as: $0) } }
  }
}

extension String {
  /// Lends the text's bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var text = self
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Whether both are the same bytes.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withBytes { mine in other.withBytes { mine.hasSameBytes(as: $0) } }
  }

  /// A hash of the bytes, seeded anew in each process.
  var byteHash: UInt32 { withBytes { $0.byteHash } }
}

extension UnsafeRawBufferPointer {
  /// A hash of the bytes, seeded anew in each process: no manifest can be written to collide.
  var byteHash: UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: self)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  /// Whether both are the same bytes.
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let mine = baseAddress, let its = other.baseAddress else { return count == other.count }
    return memcmp(mine, its, count) == 0
  }

  /// The bytes before the last slash, without it; empty where there is none.
  var folder: UnsafeRawBufferPointer {
    guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return UnsafeRawBufferPointer(rebasing: self[..<0]) }
    return UnsafeRawBufferPointer(rebasing: self[..<slash])
  }
}
