/// User text in messages: in quotes, on one line, never long.
enum Quote {
  private static let greatestLength = 60

  /// The text in quotes, control characters escaped.
  static func text(_ text: String) -> String { "\"\(short(text))\"" }

  /// The same without quotes.
  static func short(_ text: String) -> String {
    var shown = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < greatestLength else { return shown + "…" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: shown += scalar.escaped(asASCII: true)
      default: shown.unicodeScalars.append(scalar)
      }
      count += 1
    }
    return shown
  }

  /// Names as a sentence has them: `a`, `b` or `c`.
  static func choice(_ names: [String]) -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}
