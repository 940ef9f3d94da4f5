/// Finds the first byte that no YAML text may hold: invalid UTF-8 (RFC 3629) or a control character. It runs over the
/// whole manifest before anything else, so that everything behind it may trust the bytes.
enum ByteCheck {
  enum Problem: Equatable {
    case notUTF8
    /// A character that must be escaped: `"\0"`.
    case control(UInt32)
  }

  static func firstProblem(in bytes: UnsafeBufferPointer<UInt8>) -> (offset: Int, problem: Problem)? {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index < bytes.count {
      if index + 8 <= bytes.count, isPrintable(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
        index += 8
        continue
      }
      let byte = bytes[index]
      if byte < 0x80 {
        if byte < 0x20 ? (byte != 0x0a && byte != 0x0d && byte != 0x09) : byte == 0x7f {
          return (index, .control(UInt32(byte)))
        }
        index += 1
        continue
      }
      guard let (scalar, length) = decode(bytes, at: index) else { return (index, .notUTF8) }
      if (0x80...0x9f).contains(scalar) && scalar != 0x85 || scalar == 0xfffe || scalar == 0xffff {
        return (index, .control(scalar))
      }
      index += length
    }
    return nil
  }

  /// Whether eight bytes are all from 0x20 to 0x7e.
  private static func isPrintable(_ word: UInt64) -> Bool {
    let high: UInt64 = 0x8080_8080_8080_8080
    let ones: UInt64 = 0x0101_0101_0101_0101
    return (word | (word &- 0x20 &* ones) | (word &+ ones)) & high == 0
  }

  /// The scalar that begins at an index and its length in bytes; nil when it is malformed, overlong or a surrogate.
  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, Int)? {
    let lead = bytes[index]
    let length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    guard lead >= 0xc2, lead <= 0xf4, index + length <= bytes.count else { return nil }
    var scalar = UInt32(lead) & (length == 2 ? 0x1f : length == 3 ? 0x0f : 0x07)
    for offset in 1..<length {
      guard bytes[index + offset] & 0xc0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(bytes[index + offset] & 0x3f)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
    guard scalar >= least, scalar <= 0x10_ffff, !(0xd800...0xdfff).contains(scalar) else { return nil }
    return (scalar, length)
  }
}
