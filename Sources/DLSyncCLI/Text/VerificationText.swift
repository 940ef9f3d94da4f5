import DLSyncKit
import DLSyncModel

/// The findings of `verify` as people read them: every file that is not intact, and one sentence that sums up.
struct VerificationText {
  private let palette: Palette
  private let isVerbose: Bool
  private let isQuiet: Bool
  private let isOneOfMany: Bool

  init(palette: Palette, isVerbose: Bool = false, isQuiet: Bool = false, isOneOfMany: Bool = false) {
    self.palette = palette
    self.isVerbose = isVerbose
    self.isQuiet = isQuiet
    self.isOneOfMany = isOneOfMany
  }

  init(_ context: CommandContext, isOneOfMany: Bool) {
    self.init(
      palette: context.peopleTerminal.palette, isVerbose: context.settings.isVerbose,
      isQuiet: context.settings.isQuiet, isOneOfMany: isOneOfMany)
  }

  func write(_ verification: Verification, _ manifest: Manifest, to channel: OutputChannel) {
    for file in verification.files where isVerbose || file.finding != .intact { channel.write(line(file)) }
    guard !isQuiet else { return }
    let source = isOneOfMany ? TerminalText.escaped(manifest.source) + ": " : ""
    channel.write(source + summary(verification) + "\n")
  }

  private func line(_ file: VerifiedFile) -> String {
    let name = TerminalText.escaped(file.entry.destination.relativePath)
    switch file.finding {
    case .intact: return "\(palette.dim("=")) \(name)  \(palette.dim("intact"))\n"
    case .missing: return "\(palette.red("!")) \(name)  \(palette.red("missing"))\n"
    case .unreadable:
      return "\(palette.red("!")) \(name)  \(palette.red("cannot be read"))\n"
        + (file.error.map { ErrorText.below($0, palette) } ?? "")
    case .notRecorded: return "\(palette.yellow("!")) \(name)  \(palette.yellow("nothing recorded to compare with"))\n"
    case .differs:
      var text = "\(palette.red("!")) \(name)  \(palette.red("differs"))\n"
      if let expected = file.expected { text += "    expected \(expected)\n" }
      if let actual = file.actual { text += "    found    \(actual)\n" }
      return text
    }
  }

  /// `Verify: 97 intact, 1 missing, 2 differ.`
  private func summary(_ verification: Verification) -> String {
    let summary = verification.summary
    var parts = ["\(summary.intact) intact"]
    if summary.missing > 0 { parts.append(palette.red("\(summary.missing) missing")) }
    if summary.differs > 0 {
      parts.append(palette.red("\(summary.differs) \(summary.differs == 1 ? "differs" : "differ")"))
    }
    if summary.unreadable > 0 { parts.append(palette.red("\(summary.unreadable) unreadable")) }
    if summary.notRecorded > 0 { parts.append(palette.yellow("\(summary.notRecorded) not recorded")) }
    return palette.bold("Verify:") + " " + parts.joined(separator: ", ") + "."
  }
}
