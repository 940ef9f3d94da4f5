internal import Glibc

extension UnsafeRawBufferPointer {
  /// Whether both are the same bytes.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let mine = baseAddress, let its = other.baseAddress else { return count == other.count }
    return memcmp(mine, its, count) == 0
  }
}

extension ArraySlice<UInt8> {
  /// Whether both are the same bytes.
  package func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
    withUnsafeBytes { mine in other.withUnsafeBytes { mine.hasSameBytes(as: $0) } }
  }

  /// The same for bytes that somebody lends.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool { withUnsafeBytes { $0.hasSameBytes(as: other) } }
}
