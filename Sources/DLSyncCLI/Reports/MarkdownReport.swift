import DLSyncModel

/// A run as GitHub-flavoured Markdown, for the summary of a CI job or a comment: the numbers, what went wrong, what came.
struct MarkdownReport {
  let runs: [RunRecord]
  /// A summary that is too long is cut off by those who show it; the largest files say most.
  private static let mostFiles = 100

  func write(to channel: OutputChannel) {
    for (index, run) in runs.enumerated() {
      if index > 0 { channel.write("\n") }
      write(run, to: channel)
    }
  }

  private func write(_ run: RunRecord, to channel: OutputChannel) {
    let files = run.files
    channel.write("## \(sign(run)) dlsync: \(Self.escaped(run.scope.text))\n\n\(sentence(run))\n\n")
    if let error = run.report.end?.error {
      channel.write("**\(error.code)**: \(Self.escaped(error.message))\(hint(error))\n\n")
    }
    for diagnostic in run.diagnostics.prefix(Self.mostFiles) {
      let place = Self.escaped("\(diagnostic.location): \(diagnostic.path)")
      channel.write("- \(place): \(Self.escaped(diagnostic.message))\(diagnostic.hint.map(hint) ?? "")\n")
    }
    guard run.report.plan != nil else { return }
    writeNumbers(run.report.summary, files, to: channel)
    writeTrouble(files.filter(\.result.isTrouble), to: channel)
    writeDownloads(files.filter { $0.result == .downloaded }, to: channel)
    let ofFiles = files.flatMap { file in (file.outcome?.warnings ?? []).map { "\(file.name): \($0)" } }
    let warnings = run.report.warnings + ofFiles
    if !warnings.isEmpty { channel.write("\n### Warnings\n\n") }
    for warning in warnings.prefix(Self.mostFiles) { channel.write("- \(Self.escaped(warning))\n") }
    if warnings.count > Self.mostFiles { channel.write("- and \(warnings.count - Self.mostFiles) more\n") }
  }

  private func sign(_ run: RunRecord) -> String {
    if run.isDryRun { return "📋" }
    if run.report.end?.signal != nil { return "⏸️" }
    switch run.exitStatus {
    case 0: return "✅"
    case 3: return "⚠️"
    default: return "❌"
    }
  }

  private func sentence(_ run: RunRecord) -> String {
    if run.isDryRun, let plan = run.report.plan?.summary {
      return "A dry run: \(Wording.count(plan.download, "file", "files")) of \(plan.total) to download, "
        + "\(plan.downloadBytes) as far as sizes are known, \(TimestampText.readable(run.started))."
    }
    guard run.report.plan != nil else { return "Nothing was done, \(TimestampText.readable(run.started))." }
    let summary = run.report.summary
    let speed = Wording.speed(summary.fetchedBytes, over: summary.seconds)
    let amount =
      summary.fetchedBytes > .zero ? ", \(summary.fetchedBytes) fetched\(speed.map { " at \($0)" } ?? "")" : ""
    let stopped = run.report.end?.signal.map { " Stopped by \(SignalName.of($0))." } ?? ""
    return "\(Wording.count(summary.total, "file", "files"))\(amount) in \(Wording.duration(summary.seconds)), "
      + "\(TimestampText.readable(run.started)).\(stopped)"
  }

  /// One column for each result that there is; failures are shown even where there are none.
  private func writeNumbers(_ summary: Report.Summary, _ files: [ReportedFile], to channel: OutputChannel) {
    var counts: [FileResult: Int] = [:]
    for file in files { counts[file.result, default: 0] += 1 }
    let always: Set<FileResult> = [.downloaded, .reused, .conflict, .failed]
    let shown = FileResult.allCases.filter { always.contains($0) || counts[$0] != nil }
    channel.write(row(shown.map(\.word)) + row(shown.map { _ in "---:" }) + row(shown.map { "\(counts[$0] ?? 0)" }))
  }

  private func writeTrouble(_ files: [ReportedFile], to channel: OutputChannel) {
    guard !files.isEmpty else { return }
    channel.write("\n### \(Wording.count(files.count, "problem", "problems"))\n\n")
    channel.write(row(["file", "code", "what happened"]) + row(["---", "---", "---"]))
    for file in files.prefix(Self.mostFiles) {
      guard let error = file.error else { continue }
      channel.write(row([Self.escaped(file.name), error.code.text, Self.escaped(error.message) + hint(error)]))
    }
    writeRest(files.count, to: channel)
  }

  private func writeDownloads(_ files: [ReportedFile], to channel: OutputChannel) {
    guard !files.isEmpty else { return }
    channel.write("\n<details><summary>\(Wording.count(files.count, "file", "files")) downloaded</summary>\n\n")
    channel.write(row(["file", "size", "time", "attempts"]) + row(["---", "---:", "---:", "---:"]))
    let largest = files.count <= Self.mostFiles ? files : files.sorted { ($0.size ?? .zero) > ($1.size ?? .zero) }
    for file in largest.prefix(Self.mostFiles) {
      let seconds = file.outcome?.seconds.map(Wording.duration) ?? ""
      let size = file.size?.description ?? ""
      channel.write(row([Self.escaped(file.name), size, seconds, "\(file.outcome?.attempts ?? 0)"]))
    }
    writeRest(files.count, to: channel)
    channel.write("\n</details>\n")
  }

  private func writeRest(_ count: Int, to channel: OutputChannel) {
    if count > Self.mostFiles { channel.write("\nand \(count - Self.mostFiles) more\n") }
  }

  private func hint(_ error: DLSyncError) -> String { error.hint.map(hint) ?? "" }

  private func hint(_ text: String) -> String { "<br>*hint:* \(Self.escaped(text))" }

  private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

  /// Text of others as text: whatever would be mark-up, a mention or the end of a table cell is taken as it is written.
  static func escaped(_ text: String) -> String {
    TerminalText.escaped(text).escaped { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "@": "&#64;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!", "$": "\\\(scalar)"
      default: nil
      }
    }
  }
}
