import DLSyncModel

/// A line of a text that is no YAML: what it means is not known, so whatever could be secret is hidden.
struct UncertainLine {
  private static let words = [
    "header", "auth", "cookie", "token", "secret", "passw", "bearer", "basic ", "proxy", "key:", "@", "sig",
  ]

  /// The part that is hidden; nil when there is nothing to fear.
  let span: MaskedLine.Span?

  /// `isWithinSecret`: the last that was understood is a place of secrets.
  init(_ line: String, _ isWithinSecret: Bool) {
    let lower = line.lowercased()
    guard isWithinSecret || Self.words.contains(where: lower.contains) else {
      span = nil
      return
    }
    let scalars = Array(line.unicodeScalars)
    let indent = scalars.prefix { $0 == " " || $0 == "\t" || $0 == "-" }.count
    let name = scalars.dropFirst(indent).prefix {
      $0.isASCII && ($0.properties.isAlphabetic || "-_0123456789".unicodeScalars.contains($0))
    }
    let behind = scalars.dropFirst(indent + name.count)
    let shown = behind.first == ":" ? indent + name.count + 1 : indent
    let rest = scalars.dropFirst(shown).prefix { $0 == " " }
    span = MaskedLine.Span(start: shown + rest.count + 1, end: scalars.count + 1, replacement: Redaction.mark)
  }
}
