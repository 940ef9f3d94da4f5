import DLSyncModel

/// What most entries of a large manifest say and no more, as the bytes that are written: nothing in them stands for
/// anything but itself.
struct UsualTexts {
  private static let keys: [StaticString] = ["url", "destination", "checksum"]

  private(set) var url = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var destination = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Empty for none.
  private(set) var checksum = UnsafeRawBufferPointer(start: nil, count: 0)

  /// The number of a key; nil where usual entries do not have it.
  static func number(of key: UnsafeRawBufferPointer) -> Int? {
    keys.firstIndex { known in
      UnsafeRawBufferPointer(start: known.utf8Start, count: known.utf8CodeUnitCount).hasSameBytes(as: key)
    }
  }

  /// Gives a key, by its number, its text.
  mutating func set(_ key: Int, _ text: UnsafeRawBufferPointer) {
    switch key {
    case 0: url = text
    case 1: destination = text
    default: checksum = text
    }
  }
}
