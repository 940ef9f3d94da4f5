/// Percent-encoding (RFC 3986, section 2.1) as far as URLs written by people need it: what may not travel is encoded once,
/// what is encoded already is left alone.
enum PercentEncoding {
  /// A path: white space, quotes, controls and non-ASCII bytes are encoded.
  static func path(_ text: String) -> String { encode(text) { isForbidden($0) } }

  /// A query: the same.
  static func query(_ text: String) -> String { encode(text) { isForbidden($0) } }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7f...0xff, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"), UInt8(ascii: "`"):
      true
    default: false
    }
  }

  private static func encode(_ text: String, _ mustEncode: (UInt8) -> Bool) -> String {
    guard text.utf8.contains(where: mustEncode) else { return text }
    var out: [UInt8] = []
    for byte in text.utf8 {
      guard mustEncode(byte) else {
        out.append(byte)
        continue
      }
      out.append(UInt8(ascii: "%"))
      out.append(contentsOf: Hex.encode(CollectionOfOne(byte)).uppercased().utf8)
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// The text with every `%XX` decoded, or nil when the result is not UTF-8. A percent sign without two digits stands
  /// for itself.
  static func decoded(_ text: some StringProtocol) -> String? {
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
