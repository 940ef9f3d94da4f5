import DLSyncModel

/// The keys of one mapping, to find the ones that come twice. Few keys are compared one by one, many are hashed.
struct KeySet {
  let ignoringCase: Bool
  private var few: [(key: NodeRef, place: TextPosition)] = []
  private var many: [BytewiseText: TextPosition] = [:]
  private static let greatestFew = 24

  init(ignoringCase: Bool) {
    self.ignoringCase = ignoringCase
    few.reserveCapacity(8)
  }

  /// Adds a key; the place of an equal one that is there already.
  mutating func insert(_ key: NodeRef, at place: TextPosition) -> TextPosition? {
    if few.count < Self.greatestFew {
      if let found = few.first(where: { isEqual($0.key, key) }) { return found.place }
      few.append((key, place))
      if few.count == Self.greatestFew {
        for item in few { many[text(item.key)] = item.place }
      }
      return nil
    }
    let text = text(key)
    if let found = many[text] { return found }
    many[text] = place
    return nil
  }

  private func text(_ key: NodeRef) -> BytewiseText {
    BytewiseText(ignoringCase ? key.text.lowercased() : key.text)
  }

  private func isEqual(_ left: NodeRef, _ right: NodeRef) -> Bool {
    left.withBytes { left in
      right.withBytes { right in
        guard left.count == right.count else { return false }
        return ignoringCase
          ? zip(left, right).allSatisfy { Self.folded($0) == Self.folded($1) } : left.elementsEqual(right)
      }
    }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
