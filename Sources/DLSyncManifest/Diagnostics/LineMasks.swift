import DLSyncModel

/// What to replace in lines before they are shown.
struct LineMasks {
  private struct Secret {
    let start: Int
    /// Nil is the line's end.
    let end: Int?
    /// What stands there and what is shown instead; nil hides the whole.
    let change: (from: String, to: String)?
  }

  private var secrets: [Int: [Secret]] = [:]
  /// From this line on the document could not be read.
  var uncertainFrom = Int.max
  /// Whether that happened within something secret.
  var isUncertainSecret = false

  /// Adds a scalar that may not be shown as it is.
  mutating func add(
    _ start: TextPosition, _ end: TextPosition, within lines: Set<Int>, replacement: String?, text: String
  ) {
    let isOneLine = start.line == end.line
    let shown = isOneLine ? lines.intersection([Int(start.line)]) : lines
    for line in shown where Int(start.line) <= line && line <= Int(end.line) {
      let change = isOneLine ? replacement.map { (from: text, to: $0) } : nil
      secrets[line, default: []].append(
        Secret(
          start: line == Int(start.line) ? Int(start.column) : 1,
          end: line == Int(end.line) ? Int(end.column) : nil, change: change))
    }
  }

  /// The line as it may be shown.
  func mask(_ line: String, number: Int) -> MaskedLine {
    if number >= uncertainFrom {
      return MaskedLine(line, [UncertainLine(line, isUncertainSecret).span].compactMap(\.self))
    }
    let scalars = Array(line.unicodeScalars)
    let spans = (secrets[number] ?? []).map { secret -> MaskedLine.Span in
      let indent = scalars.prefix { $0 == " " }.count + 1
      let end = min(secret.end ?? scalars.count + 1, scalars.count + 1)
      let start = min(max(secret.start, secret.start == 1 ? indent : 1), end)
      return MaskedLine.Span(
        start: start, end: end, replacement: Self.replacement(secret, scalars[(start - 1)..<(end - 1)]))
    }
    return MaskedLine(line, spans)
  }

  /// Where the text stands in the line as it is, only its secret part is replaced.
  private static func replacement(_ secret: Secret, _ written: ArraySlice<Unicode.Scalar>) -> String {
    guard let change = secret.change else { return Redaction.mark }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: written)
    let original = String(text)
    for quote in ["", "'", "\""] where original == quote + change.from + quote { return quote + change.to + quote }
    return Redaction.mark
  }
}
