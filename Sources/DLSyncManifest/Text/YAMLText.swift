import DLSyncModel

/// Texts as scalars of YAML: plain where no reader of YAML 1.1 or 1.2 could take them for something else.
package enum YAMLText {
  private static let words: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

  /// One line that any reader of YAML takes for exactly this text.
  package static func scalar(_ text: String) -> String {
    if isPlain(text) { return text }
    if text.unicodeScalars.allSatisfy(mayStand) {
      return "'" + text.replacingBytewise("'", with: "''") + "'"
    }
    return quoted(text)
  }

  /// The same for a value of a manifest, in which `${` would be a variable.
  package static func value(_ text: String) -> String { scalar(text.replacingBytewise("${", with: "$${")) }

  /// Letters first, and nothing that YAML gives a meaning.
  private static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, isLetter(first) || first == UInt8(ascii: "/"), bytes.last != UInt8(ascii: ":"),
      !words.contains(text.lowercased())
    else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || "/._-+=?&%~@:()".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Whether a character may stand in YAML as it is, and ends no line.
  static func mayStand(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff: false
    default: true
    }
  }

  /// YAML 1.2, section 7.3.1.
  private static func quoted(_ text: String) -> String {
    let inner = text.escaped { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      case "\t": "\\t"
      case _ where !mayStand(scalar): numbered(scalar)
      default: nil
      }
    }
    return "\"\(inner)\""
  }

  /// A character up to U+FFFF by its number, as JSON writes it too: `\u001b`.
  static func numbered(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
