import DLSyncModel

/// Digests that are asked for, and by whom.
struct WantedDigests {
  private var table = TextTable(capacity: 64)
  private var wishes: [(digest: Digest, owner: Int32, next: Int32)] = []

  var isEmpty: Bool { wishes.isEmpty }

  /// Adds a wish of an owner, a number of the user's.
  mutating func add(_ digest: Digest, _ owner: Int) {
    wishes.append((digest, Int32(owner), -1))
    let mine = wishes.count - 1
    let first = table.insert(digest.byteHash, mine) { wishes[$0].digest == digest }
    guard let first else { return }
    wishes[mine].next = wishes[first].next
    wishes[first].next = Int32(mine)
  }

  /// Whether anybody may ask for a digest of these bytes.
  func mayHave(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      table.find(bytes.byteHash, isEqual: { wishes[$0].digest.bytes.elementsEqual(bytes) }) != nil
    }
  }

  /// The owners that ask for a digest, the first to come at the front.
  func owners(of digest: Digest) -> [Int] {
    guard let first = table.find(digest.byteHash, isEqual: { wishes[$0].digest == digest }) else { return [] }
    var found = [Int(wishes[first].owner)]
    var next = wishes[first].next
    while next >= 0 {
      found.append(Int(wishes[Int(next)].owner))
      next = wishes[Int(next)].next
    }
    return found
  }
}

extension Digest {
  fileprivate var byteHash: UInt32 { bytes.withUnsafeBytes { $0.byteHash } }
}
