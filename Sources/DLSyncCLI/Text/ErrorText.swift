import DLSyncModel

/// Errors as people read them on standard error.
enum ErrorText {
  /// `dlsync: error: CODE: …`, then `hint: …` where there is one. A command line that is wrong shows no code.
  static func render(_ error: DLSyncError, _ palette: Palette, showsCode: Bool = true) -> String {
    let code = showsCode && error.code != .usage ? error.code.text + ": " : ""
    let text = TerminalText.escaped(place(error) + error.message)
    return "dlsync: " + palette.red("error:") + " " + code + text + "\n" + hint(error, palette)
  }

  /// Where it is, unless the message begins with that.
  private static func place(_ error: DLSyncError) -> String {
    guard let place = error.details.location, !error.message.hasPrefix("\(place.file):\(place.line):") else {
      return ""
    }
    return "\(place): "
  }

  private static func hint(_ error: DLSyncError, _ palette: Palette) -> String {
    error.hint.map { palette.cyan("hint:") + " " + TerminalText.escaped($0) + "\n" } ?? ""
  }

  /// Message and hint below the line of the file that they are about.
  static func below(_ error: DLSyncError, _ palette: Palette) -> String {
    let hint = hint(error, palette)
    return "    \(TerminalText.escaped(error.message))\n" + (hint.isEmpty ? "" : "    " + hint)
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

  /// A manifest's error with its line and caret, and the caret below its place in the columns of a terminal. What
  /// others wrote is made harmless.
  static func render(_ diagnostic: Diagnostic) -> String {
    let path = diagnostic.path.isEmpty ? "" : diagnostic.path + ": "
    var text = TerminalText.escaped("\(diagnostic.location): error: \(path)\(diagnostic.message)") + "\n"
    if let line = diagnostic.sourceLine {
      let before = parts(String(line.prefix(max(0, diagnostic.caretColumn - 1))))
      let margin = before.map { Fitting.blanks(CharacterWidth.of($0)) }.joined(separator: "\t")
      text += "  \(parts(line).joined(separator: "\t"))\n  \(margin)^\n"
    }
    if let hint = diagnostic.hint { text += "  hint: \(TerminalText.escaped(hint))\n" }
    return text
  }

  /// What stands between tabs, which a terminal puts where it wants, in the line as below it.
  private static func parts(_ line: String) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map { TerminalText.escaped(String($0)) }
  }
}
