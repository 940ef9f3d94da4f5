/// Percent-encoding (RFC 3986, section 2.1) as far as URLs written by people need it: what may not travel is encoded once,
/// what is encoded already is left alone.
enum PercentEncoding {
  /// White space, quotes, controls and non-ASCII bytes, in paths and in queries. Brackets, braces and the bar are plain:
  /// servers take them, and signatures are made over them.
  static func mustEncode(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7f...0xff, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"), UInt8(ascii: "`"):
      true
    default: false
    }
  }

  /// Adds the bytes of a path or query to a text, encoded where they must be.
  static func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
    for byte in bytes {
      guard mustEncode(byte) else {
        text.append(byte)
        continue
      }
      text.append(UInt8(ascii: "%"))
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// The text with every `%XX` decoded, or nil when the result is not UTF-8. A percent sign without two digits stands
  /// for itself.
  static func decoded(_ text: some StringProtocol) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var out: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = Hex.value(bytes[index + 1]),
        let low = Hex.value(bytes[index + 2])
      {
        out.append(high << 4 | low)
        index += 3
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return String(validating: out, as: UTF8.self)
  }
}
