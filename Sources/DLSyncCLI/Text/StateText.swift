import DLSyncKit
import DLSyncModel

/// What `state` says to people.
struct StateText {
  private let palette: Palette
  private let isQuiet: Bool
  private let isVerbose: Bool

  init(_ context: CommandContext) {
    palette = context.peopleTerminal.palette
    isQuiet = context.settings.isQuiet
    isVerbose = context.settings.isVerbose
  }

  /// Every finding with what to do, then one sentence that sums up.
  func write(_ report: StateReport, to channel: OutputChannel) {
    for finding in report.findings where !isQuiet || finding.severity != .notice {
      let place = finding.message.contains(finding.path) ? "" : finding.path + ": "
      channel.write("\(sign(finding)) \(TerminalText.escaped(place + finding.message))\n")
      if let hint = finding.hint { channel.write("    \(TerminalText.escaped(hint))\n") }
    }
    guard !isQuiet else { return }
    let name = TerminalText.escaped(report.database)
    guard report.isThere else {
      channel.write("Nothing is recorded yet: there is no \(name).\n")
      return
    }
    let tasks = report.taskCount.map { ", " + Wording.count($0, "task", "tasks") } ?? ""
    let verdict =
      switch report.exitStatus {
      case 0: palette.green("sound")
      case 4: palette.red("damaged")
      default: palette.yellow("usable, but something should be mended")
      }
    channel.write("\(palette.bold("State:")) \(name) is \(verdict)\(tasks).\n")
  }

  private func sign(_ finding: StateReport.Finding) -> String {
    switch finding.severity {
    case .unusable: palette.red("!")
    case .trouble: palette.yellow("!")
    case .notice: palette.dim("-")
    }
  }

  /// Where the old state is; every file that is not simply right; the sums.
  func write(_ result: StateRebuildResult, to channel: OutputChannel) {
    for path in result.setAside { channel.write("Moved aside: \(TerminalText.escaped(path))\n") }
    for rebuild in result.manifests {
      for file in rebuild.files where isVerbose || ![.adopted, .absent, .kept].contains(file.finding) {
        channel.write(line(file))
      }
      let parts = StateRebuild.Finding.allCases.compactMap { finding -> String? in
        let count = rebuild.count(finding)
        return count > 0 || finding == .adopted ? "\(count) \(words(finding))" : nil
      }
      let name = TerminalText.escaped(rebuild.manifest)
      channel.write("\(palette.bold("Rebuilt:")) \(name): \(parts.joined(separator: ", ")).\n")
    }
    for scope in result.forgotten {
      channel.write(
        "\(palette.yellow("Forgotten:")) \(TerminalText.escaped(scope.text)), which no named manifest is for\n")
    }
    guard !result.forgotten.isEmpty else { return }
    channel.write("    \(palette.cyan("hint:")) name all your manifests at once: dlsync state rebuild MANIFEST…\n")
  }

  private func line(_ file: StateRebuild.File) -> String {
    let name = TerminalText.escaped(file.entry.destination.relativePath)
    let sign =
      switch file.finding {
      case .adopted, .kept: palette.dim("=")
      case .absent: palette.green("+")
      case .adoptedAsItIs: palette.yellow("~")
      case .modified, .inTheWay: palette.red("!")
      }
    return "\(sign) \(name)  \(words(file.finding))\n"
  }

  private func words(_ finding: StateRebuild.Finding) -> String {
    switch finding {
    case .adopted: "adopted"
    case .adoptedAsItIs: "adopted as it is, nothing vouches for it"
    case .modified: "changed since it was published"
    case .inTheWay: "in the way"
    case .kept: "kept, not dlsync's"
    case .absent: "not there"
    }
  }
}
