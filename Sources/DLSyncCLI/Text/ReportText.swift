import DLSyncModel

/// The end of a run as people read it: what went wrong and what was left alone, file by file, and one sentence that sums
/// up.
struct ReportText {
  private let palette: Palette
  private let drawsUnicode: Bool
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let isOneOfMany: Bool

  init(
    palette: Palette, drawsUnicode: Bool = true, isQuiet: Bool = false, isVerbose: Bool = false,
    isOneOfMany: Bool = false
  ) {
    self.palette = palette
    self.drawsUnicode = drawsUnicode
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    self.isOneOfMany = isOneOfMany
  }

  init(_ context: CommandContext, isOneOfMany: Bool) {
    let terminal = context.peopleTerminal
    self.init(
      palette: terminal.palette, drawsUnicode: terminal.drawsUnicode, isQuiet: context.settings.isQuiet,
      isVerbose: context.settings.isVerbose, isOneOfMany: isOneOfMany)
  }

  func write(_ report: Report, _ context: CommandContext) {
    write(report, to: context.people)
  }

  func write(_ report: Report, to channel: OutputChannel) {
    guard let plan = report.plan else { return }
    var hasFailures = false
    for (file, outcome) in zip(plan.files, report.outcomes) {
      guard let error = outcome?.error ?? (outcome == nil ? file.error : nil), outcome?.state ?? .failed == .failed
      else {
        continue
      }
      if !hasFailures, isOneOfMany { channel.write(palette.bold(TerminalText.escaped(plan.source) + ":") + "\n") }
      hasFailures = true
      channel.write(failure(file, error))
    }
    guard !isQuiet else { return }
    let hasHeld = writeHeld(report, plan, to: channel)
    let hasStaying = writeStaying(report, plan, to: channel)
    let pruned = report.pruned.compactMap(PrunedText(palette: palette, isVerbose: isVerbose).line)
    for line in pruned { channel.write(line) }
    if hasFailures || hasHeld || hasStaying || !pruned.isEmpty { channel.write("\n") }
    let source = isOneOfMany ? TerminalText.escaped(plan.source) + ": " : ""
    channel.write(source + summary(report) + "\n")
    if report.end?.isAbandoned == true {
      channel.write("No agent is at work on what is left: dlsync agent start goes on with it.\n")
    } else if report.summary.handedOver > 0 {
      channel.write("The agent goes on: dlsync status --watch shows it, dlsync wait waits for its end.\n")
    }
  }

  /// Whether there were any.
  private func writeHeld(_ report: Report, _ plan: Plan, to channel: OutputChannel) -> Bool {
    let held = HeldText(palette: palette)
    var reasons: Set<PlanReason> = []
    for (file, outcome) in zip(plan.files, report.outcomes) {
      guard let reason = HeldText.reason(file, outcome) else { continue }
      reasons.insert(reason)
      channel.write(held.line(file, reason))
    }
    channel.write(held.hints(reasons))
    return !reasons.isEmpty
  }

  /// Files that got other permission bits, and, where more is wanted, those that are as they were. Whether there were any.
  private func writeStaying(_ report: Report, _ plan: Plan, to channel: OutputChannel) -> Bool {
    var wrote = false
    for (file, outcome) in zip(plan.files, report.outcomes)
    where file.staysAsItIs && (isVerbose || file.changesMode) && outcome?.state ?? .completed == .completed {
      let name = TerminalText.escaped(file.entry.destination.relativePath)
      let sign = file.changesMode ? palette.yellow("~") : palette.dim("=")
      channel.write("\(sign) \(name)  \(palette.dim(file.reasonText))\n")
      wrote = true
    }
    return wrote
  }

  /// Destination, URL, code, message, hint.
  private func failure(_ file: FilePlan, _ error: DLSyncError) -> String {
    let sign = error.code.exitStatus == 3 ? palette.yellow("!") : palette.red(drawsUnicode ? "✗" : "x")
    var text = "\(sign) \(palette.bold(TerminalText.escaped(file.entry.destination.relativePath)))"
    text += "  \(palette.red(error.code.text))\n"
    text += "    \(palette.dim(TerminalText.escaped(file.entry.url.redacted)))\n"
    return text + ErrorText.below(error, palette)
  }

  /// `Done: 3 downloaded (12.4 MiB, 8.1 MiB/s), 97 reused, 0 conflicts, 0 failed in 1.5 s.`
  private func summary(_ report: Report) -> String {
    let summary = report.summary
    var parts = ["\(summary.downloaded) downloaded\(amounts(summary))", "\(summary.reused) reused"]
    let conflicts = Wording.count(summary.conflicts, "conflict", "conflicts")
    parts.append(summary.conflicts > 0 ? palette.yellow(conflicts) : conflicts)
    parts.append(summary.failed > 0 ? palette.red("\(summary.failed) failed") : "0 failed")
    if summary.held > 0 { parts.append("\(summary.held) held") }
    if summary.handedOver > 0 { parts.append("\(summary.handedOver) handed over") }
    if summary.pruned > 0 { parts.append("\(summary.pruned) pruned") }
    let left = pending(report)
    if left > 0 { parts.append("\(left) \(report.end?.signal == nil ? "pending" : "resumable")") }
    return heading(report) + " " + parts.joined(separator: ", ") + " in \(Wording.duration(summary.seconds))."
  }

  private func heading(_ report: Report) -> String {
    if let signal = report.end?.signal { return palette.yellow("Stopped by \(SignalName.of(signal)):") }
    if report.end?.error != nil { return palette.red("Ended early:") }
    return report.exitStatus == 0 ? palette.green("Done:") : palette.bold("Done:")
  }

  private func amounts(_ summary: Report.Summary) -> String {
    guard summary.downloaded > 0 else { return "" }
    // Of a few bytes it would tell of the wait for the answer.
    let speed = summary.fetchedBytes.bytes >= 1024 ? Wording.speed(summary.fetchedBytes, over: summary.seconds) : nil
    return " (\(summary.bytes)\(speed.map { ", " + $0 } ?? ""))"
  }

  /// Files that the next run will go on with.
  private func pending(_ report: Report) -> Int {
    guard let plan = report.plan else { return 0 }
    return zip(plan.files, report.outcomes).count { file, outcome in
      guard let outcome else { return file.action == .download && !file.isHeld }
      return outcome.state == .waiting && !outcome.isHandedOver
    }
  }
}
