import DLSyncModel

/// Text of others as character data and attribute values of XML 1.0 and HTML.
enum Markup {
  /// Control characters are written out first (`\x1b`): XML cannot hold them, and HTML would not show them.
  static func escaped(_ text: String) -> String {
    if !text.utf8.contains(where: isSpecial) { return text }
    return TerminalText.escaped(text).escaped { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      // Not characters of XML 1.0, section 2.2.
      case "\u{fffe}", "\u{ffff}": "\u{fffd}"
      default: nil
      }
    }
  }

  /// A message for HTML: what it has in backticks is code.
  static func message(_ text: String) -> String {
    let parts = escaped(text).split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.count % 2 == 1 else { return escaped(text) }
    return parts.enumerated().map { $0.offset % 2 == 0 ? String($0.element) : "<code>\($0.element)</code>" }.joined()
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7f...0xff: true
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
    default: false
    }
  }
}
