import DLSyncModel
import Testing

@testable import DLSyncCLI

/// Errors of manifests on a terminal: the caret stands below its place, however wide what stands before it is.
@Suite struct UnitDiagnosticTests {
  /// The line and the caret's margin as they are shown, for a place that begins with `@`.
  private func shown(_ line: String) -> [String] {
    let column = line.prefix { $0 != "@" }.count + 1
    let diagnostic = Diagnostic(
      SourceLocation(file: "m.yaml", line: 1, column: column), path: "files", "no", hint: "do", sourceLine: line)
    return ErrorText.render(diagnostic).split(separator: "\n").map(String.init)
  }

  @Test(
    arguments: [
      ("ab@", "  ^"), ("日本語@", "      ^"), ("a\u{1f389}b@", "    ^"), ("e\u{301}e\u{301}@", "  ^"), ("ｆｕ@", "    ^"),
      ("日\tb@", "  \t ^"), ("a\u{202e}@", "         ^"), ("\u{feff}@", "        ^"), ("@", "^"),
    ])
  func theCaretStandsBelowItsPlace(line: String, margin: String) {
    #expect(shown(line)[2] == "  " + margin)
  }

  @Test func whatOthersWroteIsShownAndNotObeyed() {
    let diagnostic = Diagnostic(
      SourceLocation(file: "a\nb\u{1b}[2J", line: 1, column: 1), path: "", "\u{9b}2J\nx", hint: "\u{1b}c",
      sourceLine: "\u{1b}]0;@")
    let text = ErrorText.render(diagnostic)
    #expect(text.split(separator: "\n").count == 4)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) })
  }
}
