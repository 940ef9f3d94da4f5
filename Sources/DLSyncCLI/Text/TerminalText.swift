import DLSyncModel

/// Text of others (names, URLs, messages of servers) made harmless for a terminal: what would move the cursor, change
/// colours or reorder the line is shown instead of obeyed.
enum TerminalText {
  /// The text with each control character written out: `\x1b`, `\n`, `\u{202e}`.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    return text.escaped { isDangerous($0) ? written($0) : nil }
  }

  /// The same for a text of many lines, whose ends stay ends of lines.
  static func escapedLines(_ text: String) -> String {
    text.escaped { $0 != "\n" && isDangerous($0) ? written($0) : nil }
  }

  private static func written(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let digits = String(scalar.value, radix: 16)
      return scalar.value > 0xff ? "\\u{\(digits)}" : "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
  }

  /// Controls (C0, DEL, C1), line and paragraph separators, and the marks that reorder text (Unicode, UAX 9).
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
    default: false
    }
  }
}
