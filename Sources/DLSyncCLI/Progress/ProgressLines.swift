import DLSyncModel

/// The whole lines that progress consists of: of a file that ended, of one that is tried again, of the run so far.
struct ProgressLines {
  let palette: Palette
  let isVerbose: Bool

  /// The line for an event, or nil where it is worth none.
  func line(_ event: Event, _ state: RunProgress) -> String? {
    switch event {
    case .ended(let outcome): ended(outcome, state)
    case .stateChanged(let change) where isVerbose && change.to == .retrying: retrying(change, state)
    case .resumed(let file, let offset, _) where isVerbose:
      "\(palette.dim("resuming"))   \(name(file, state)) at \(offset)\n"
    default: nil
    }
  }

  /// `12 of 97 files, 12.4 MiB of 45.2 MiB (27%), 8.1 MiB/s, 0:12 left`.
  func summary(_ state: RunProgress) -> String {
    let overall = state.overall
    var parts = ["\(state.finished) of \(Wording.count(state.total, "file", "files"))"]
    if state.failed > 0 { parts.append(palette.red("\(state.failed) failed")) }
    let total = overall.total.map { " of \($0) (\(Wording.percent(state.fraction)))" } ?? ""
    parts.append("\(overall.completed)\(total)")
    if let speed = overall.bytesPerSecond { parts.append(Wording.speed(speed)) }
    if let left = overall.estimatedTimeRemaining { parts.append("\(Wording.clock(left)) left") }
    return parts.joined(separator: ", ") + "\n"
  }

  private func ended(_ outcome: FileOutcome, _ state: RunProgress) -> String? {
    switch outcome.state {
    // A refresh that found nothing newer is no download.
    case .completed where state.plan(of: outcome.file).map({ FileResult($0, outcome) }) == .downloaded:
      return "\(palette.green("downloaded")) \(name(outcome.file, state))\(amounts(outcome))\n"
    case .failed:
      // Conflicts of the plan cost no time and are in the report.
      guard state.plan(of: outcome.file)?.action != .conflict else { return nil }
      let isConflict = outcome.error?.code.exitStatus == 3
      let word = isConflict ? palette.yellow("conflict") + "  " : palette.red("failed") + "    "
      let reason = outcome.error.map { ": \($0.code): \(TerminalText.escaped($0.message))" } ?? ""
      return "\(word) \(name(outcome.file, state))\(reason)\n"
    default: return nil
    }
  }

  private func amounts(_ outcome: FileOutcome) -> String {
    guard let bytes = outcome.bytes else { return "" }
    let speed = outcome.seconds.flatMap { Wording.fileSpeed(outcome.fetchedBytes, over: $0) }
    return palette.dim(" (\(bytes)\(speed.map { ", " + $0 } ?? ""))")
  }

  private func retrying(_ change: StateChange, _ state: RunProgress) -> String {
    let delay = change.delay.map { " in \(Wording.duration($0.inSeconds))" } ?? ""
    let reason = change.error.map { ": \($0.code): \(TerminalText.escaped($0.message))" } ?? ""
    return "\(palette.yellow("retrying"))\(delay)   \(name(change.file, state))\(reason)\n"
  }

  private func name(_ file: Int, _ state: RunProgress) -> String { state.name(of: file) ?? "file \(file + 1)" }
}
