/// One error of a manifest, ready to be shown: where, which key, what is wrong, the line itself, and what to do.
public struct Diagnostic: Hashable, Sendable {
  /// The place in the file.
  public let location: SourceLocation
  /// The place within the manifest: `files[3].checksum`; empty for the document itself.
  public let path: String
  /// What is wrong.
  public let message: String
  /// What to do, where that is known.
  public let hint: String?
  /// The text of the line without its end, secrets already replaced; nil where there is none to show.
  public let sourceLine: String?
  /// Where `sourceLine` has the place, counted from 1 in characters. It differs from the location's column where a secret
  /// before it was replaced or a long line was cut.
  public let caretColumn: Int

  /// Takes every part.
  public init(
    _ location: SourceLocation, path: String, _ message: String, hint: String? = nil, sourceLine: String?,
    caretColumn: Int? = nil
  ) {
    self.location = location
    self.path = path
    self.message = message
    self.hint = hint
    self.sourceLine = sourceLine
    self.caretColumn = caretColumn ?? location.column
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `FILE:LINE:COLUMN: error: PATH: message`, the line, a caret under the column, the hint; lines end without a newline
  /// at the end of the whole.
  public var description: String {
    var text = "\(location): error: \(path.isEmpty ? "" : path + ": ")\(message)"
    if let sourceLine {
      let margin = String(sourceLine.prefix(max(0, caretColumn - 1)).map { $0 == "\t" ? "\t" : " " })
      text += "\n  \(sourceLine)\n  \(margin)^"
    }
    if let hint { text += "\n  hint: \(hint)" }
    return text
  }
}

/// Everything that is wrong with one manifest.
public struct ManifestError: Error, Sendable {
  /// At least one, in the order of their places.
  public let diagnostics: [Diagnostic]

  /// Takes at least one.
  public init(_ diagnostics: [Diagnostic]) {
    precondition(!diagnostics.isEmpty, "an invalid manifest has an error")
    self.diagnostics = diagnostics
  }

  /// The same as one error, for JSON and for programs that look no closer.
  public var summary: DLSyncError {
    let first = diagnostics[0]
    let more = diagnostics.count == 1 ? "" : " (and \(diagnostics.count - 1) more)"
    return DLSyncError(
      .manifestInvalid, "\(first.path.isEmpty ? "" : first.path + ": ")\(first.message)\(more)", hint: first.hint,
      .init(location: first.location))
  }
}
