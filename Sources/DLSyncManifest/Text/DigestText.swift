import DLSyncModel

/// The spellings of a digest: `sha256:HEX`, bare hexadecimal, and `sha256-BASE64` (Subresource Integrity, section 3.5).
/// Capitals and surrounding white space make no difference.
enum DigestText {
  enum Problem: Error, Equatable {
    case empty
    case unknownAlgorithm(String)
    /// Not the digits of such a digest.
    case wrongDigits(DigestAlgorithm)
    /// Bare digits whose number no algorithm gives.
    case unknownLength(Int)
    case unreadable
    /// The text names another algorithm than the key beside it.
    case otherAlgorithm(DigestAlgorithm)
  }

  /// What to write, for messages.
  static let form = "`sha256:` and its hexadecimal digits, the digits alone, or `sha256-` and Base64"

  /// A digest in any spelling. With an algorithm given beside it, bare digits are read as that one's.
  static func parse(_ text: String, algorithm: DigestAlgorithm? = nil) throws(Problem) -> Digest {
    let text = trimmed(text)
    guard !text.isEmpty else { throw .empty }
    if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let digits = trimmed(text[text.utf8.index(after: colon)...])
      return try prefixed(text[..<colon], algorithm) { Digest($0, bytes: hexBytes(digits) ?? []) }
    }
    if let dash = text.utf8.lastIndex(of: UInt8(ascii: "-")) {
      let code = text[text.utf8.index(after: dash)...]
      return try prefixed(text[..<dash], algorithm) { algorithm in
        Base64Text.decode(code).flatMap { Digest(algorithm, bytes: $0) }
      }
    }
    guard text.utf8.allSatisfy({ Hex.value($0) != nil }) else { throw .unreadable }
    guard let found = algorithm ?? bareAlgorithm(digits: text.utf8.count) else {
      throw .unknownLength(text.utf8.count)
    }
    guard let digest = Digest(found, bytes: hexBytes(text) ?? []) else { throw .wrongDigits(found) }
    return digest
  }

  /// The digest of the commonest spelling, `sha256:` and 64 digits; nil for any other.
  static func usual(_ bytes: UnsafeBufferPointer<UInt8>) -> Digest? {
    guard let digits = usualDigits(bytes) else { return nil }
    return hexBytes(digits).flatMap { Digest(.sha256, bytes: $0) }
  }

  /// How many bytes such a digest has as `PackedDigests` has it.
  static let usualLength = 33

  /// The same, put where it is to be in that form; false for any other spelling.
  static func pack(usual bytes: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    guard let digits = usualDigits(bytes) else { return false }
    room[0] = DigestAlgorithm.sha256.number
    return decode(digits, into: UnsafeMutableBufferPointer(rebasing: room[1...32]))
  }

  private static func usualDigits(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard bytes.count == 71, bytes.starts(with: "sha256:".utf8) else { return nil }
    return UnsafeBufferPointer(rebasing: bytes[7...])
  }

  private static func prefixed(
    _ name: Substring, _ expected: DigestAlgorithm?, _ read: (DigestAlgorithm) -> Digest?
  ) throws(Problem) -> Digest {
    guard let algorithm = name == "sha256" ? .sha256 : DigestAlgorithm(name: String(name)) else {
      throw name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } ? .unknownAlgorithm(String(name)) : .unreadable
    }
    if let expected, expected != algorithm { throw .otherAlgorithm(algorithm) }
    guard let digest = read(algorithm) else { throw .wrongDigits(algorithm) }
    return digest
  }

  /// The bytes of hexadecimal digits; the same as `Hex.decode`, made for a million of them.
  private static func hexBytes(_ digits: Substring) -> [UInt8]? {
    digits.utf8.withContiguousStorageIfAvailable(hexBytes) ?? Hex.decode(digits)
  }

  private static func hexBytes(_ digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var isHex = true
    let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { buffer, count in
      isHex = decode(digits, into: buffer)
      count = digits.count / 2
    }
    return isHex ? bytes : nil
  }

  /// Writes every byte, even where a digit is none: then the answer is false. Eight digits at a time.
  private static func decode(
    _ digits: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    var isHex = true
    var index = 0
    let (text, room) = (UnsafeRawBufferPointer(digits), UnsafeMutableRawBufferPointer(bytes))
    while index + 4 <= digits.count / 2 {
      let eight = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: 2 * index, as: UInt64.self))
      let (values, areDigits) = hexValues(eight)
      isHex = isHex && areDigits
      // Of each two values the first is the upper half of a byte; the bytes then move together.
      var pairs = (values << 4 | values >> 8) & 0x00ff_00ff_00ff_00ff
      pairs = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff
      pairs |= pairs >> 16
      room.storeBytes(of: UInt32(truncatingIfNeeded: pairs).littleEndian, toByteOffset: index, as: UInt32.self)
      index += 4
    }
    for index in index..<digits.count / 2 {
      let (high, low) = (hexValue(digits[2 * index]), hexValue(digits[2 * index + 1]))
      isHex = isHex && (high | low) < 16
      bytes[index] = high << 4 | low
    }
    return isHex
  }

  /// The values of eight digits, each in its byte, and whether all of them are digits: then writing the values gives the
  /// digits again, but for their case.
  @inline(__always)
  private static func hexValues(_ digits: UInt64) -> (values: UInt64, areDigits: Bool) {
    let (ones, lower): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x0f0f_0f0f_0f0f_0f0f)
    let letters = digits >> 6 & ones
    let values = (digits & lower) &+ letters &* 9
    let areLetters = (values &+ ones &* 6) >> 4 & ones
    let written = values &+ ones &* 0x30 &+ areLetters &* 39
    let areDigits = values & ~lower == 0 && written == digits | letters << 5
    return (values & lower, areDigits)
  }

  /// The value of a hexadecimal digit; 255 for any other byte.
  @inline(__always)
  private static func hexValue(_ byte: UInt8) -> UInt8 {
    let (digit, letter) = (byte &- 48, (byte | 0x20) &- 97)
    return digit < 10 ? digit : letter < 6 ? letter + 10 : 255
  }

  private static func bareAlgorithm(digits: Int) -> DigestAlgorithm? {
    // Of the two with 128 digits the usual one is meant; the other is always written with its name.
    DigestAlgorithm.allCases.first { $0.length * 2 == digits }
  }

  private static func trimmed(_ text: some StringProtocol) -> Substring {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    let text = Substring(text)
    guard let first = text.utf8.firstIndex(where: { !isSpace($0) }),
      let last = text.utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return text[first...last]
  }
}
