import DLSyncModel

/// Errors as people read them on standard error.
enum ErrorText {
  /// `dlsync: error: …`, then `hint: …` where there is one.
  static func render(_ error: DLSyncError, _ palette: Palette) -> String {
    let place = error.details.location.map { "\($0): " } ?? ""
    var text = "dlsync: " + palette.red("error:") + " " + TerminalText.escaped(place + error.message) + "\n"
    if let hint = error.hint { text += palette.cyan("hint:") + " " + TerminalText.escaped(hint) + "\n" }
    return text
  }

  /// The trouble in a few words, for a line that is read in passing.
  static func short(_ error: DLSyncError) -> String {
    if let status = error.details.statusCode, error.code == .httpStatus || error.code == .authenticationRequired {
      return "the server answered \(status)"
    }
    switch error.code {
    case .connectionLost: return "the connection was lost"
    case .connectFailed: return "no connection to the server"
    case .nameResolutionFailed: return "the host has no address"
    case .timedOut: return "nothing came for too long"
    case .resourceChanged: return "the file changed on the server"
    case .checksumMismatch: return "the checksum does not match"
    case .sizeMismatch: return "the size does not match"
    case .diskFull: return "no space is left"
    default: return TerminalText.escaped(error.message)
    }
  }

  static func warning(_ text: String, _ palette: Palette) -> String {
    "dlsync: " + palette.yellow("warning:") + " " + TerminalText.escaped(text) + "\n"
  }

  /// A manifest's error with its line and caret, which stay as they are; everything else is made harmless.
  static func render(_ diagnostic: Diagnostic, _ palette: Palette) -> String {
    diagnostic.description.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // A tab keeps the caret below its column.
      line.split(separator: "\t", omittingEmptySubsequences: false).map { TerminalText.escaped(String($0)) }
        .joined(separator: "\t") + "\n"
    }.joined()
  }
}
