/// Base 64 (RFC 4648, section 4) as Subresource Integrity has it: padded, no line breaks, no spare bits.
package enum Base64Text {
  /// The bytes, or nil when the text is anything else.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard !characters.isEmpty, characters.count.isMultiple(of: 4) else { return nil }
    let padding = characters.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var held = 0
    for character in characters.dropLast(padding) {
      guard let value = value(character) else { return nil }
      bits = bits << 6 | value
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
        bits &= (1 << UInt32(held)) - 1
      }
    }
    return bits == 0 ? bytes : nil
  }

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension Base64Text {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of bytes, padded.
  package static func encode(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(16 - 8 * $1.offset) }
      for place in 0..<4 {
        out.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
