import DLSyncModel

/// Runs as one HTML page that needs nothing else: no script to be read, no font, no picture, no network.
struct HTMLReport {
  let runs: [RunRecord]

  func write(to channel: OutputChannel) {
    channel.write("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
    channel.write("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    // Whatever a name might smuggle in: nothing is loaded, and no script runs but the one below.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(HTMLScript.digest)'"
    channel.write("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n")
    channel.write(
      "<meta name=\"referrer\" content=\"no-referrer\"><meta name=\"color-scheme\" content=\"light dark\">\n")
    channel.write("<title>\(title)</title>\n<style>\(HTMLStyle.text)</style></head>\n<body>\n")
    for (index, run) in runs.enumerated() { HTMLRun(run, number: index).write(to: channel) }
    channel.write("<footer>dlsync \(ProductVersion.text)</footer>\n")
    channel.write("<script>\(HTMLScript.text)</script>\n</body></html>\n")
  }

  private var title: String {
    let failed = runs.reduce(0) { $0 + $1.report.summary.failed }
    let conflicts = runs.reduce(0) { $0 + $1.report.summary.conflicts }
    var parts: [String] = []
    if failed > 0 { parts.append("\(failed) failed") }
    if conflicts > 0 { parts.append(Wording.count(conflicts, "conflict", "conflicts")) }
    if runs.contains(where: \.isDryRun) { parts.insert("dry run", at: 0) }
    if runs.contains(where: { $0.report.plan == nil }) { parts.append("nothing was done") }
    if parts.isEmpty { parts.append(runs.allSatisfy { $0.exitStatus == 0 } ? "all well" : "incomplete") }
    let names = runs.map { Markup.escaped($0.scope.text) }.joined(separator: ", ")
    return "\(parts.joined(separator: ", ")) · \(names) · dlsync"
  }
}

/// One run of the page.
struct HTMLRun {
  private let run: RunRecord
  private let files: [ReportedFile]
  /// Tells the controls of several runs apart.
  private let number: Int

  init(_ run: RunRecord, number: Int) {
    self.run = run
    self.number = number
    files = run.files
  }

  func write(to channel: OutputChannel) {
    channel.write("<section class=\"run\">\n")
    writeHeading(to: channel)
    if run.report.plan != nil { writeNumbers(to: channel) }
    HTMLTroubles(run, files).write(to: channel)
    HTMLThroughput(run).write(to: channel)
    HTMLTimeline(run, files).write(to: channel)
    HTMLFileTable(files, number: number).write(to: channel)
    channel.write("</section>\n")
  }

  private func writeHeading(to channel: OutputChannel) {
    let (word, kind) = verdict
    channel.write(
      "<header><p class=\"pill \(kind)\">\(word)</p><h1>\(Markup.escaped(run.scope.text))</h1><p class=\"dim\">")
    if run.manifest != run.scope.text { channel.write("<code>\(Markup.escaped(run.manifest))</code> · ") }
    channel.write(TimestampText.readable(run.started))
    if !run.isDryRun, run.report.plan != nil {
      channel.write(" · took \(Wording.duration(run.report.summary.seconds))")
    }
    channel.write(" · exit status \(run.exitStatus)</p></header>\n")
  }

  private var verdict: (word: String, kind: String) {
    if run.isDryRun { return ("dry run", "idle") }
    if run.report.plan == nil { return ("nothing was done", "bad") }
    if let signal = run.report.end?.signal { return ("stopped by \(SignalName.of(signal))", "warn") }
    if run.report.end?.error != nil { return ("ended early", "bad") }
    switch run.exitStatus {
    case 0: return ("all well", "good")
    case 3: return ("conflicts", "warn")
    default: return ("failed", "bad")
    }
  }

  private func writeNumbers(to channel: OutputChannel) {
    let summary = run.report.summary
    channel.write("<div class=\"cards\">")
    defer {
      channel.write("</div>\n")
      writeShares(to: channel)
    }
    if run.isDryRun, let plan = run.report.plan?.summary {
      card(Grouped.text(plan.download), "to download", .pending, to: channel)
      card(Grouped.text(plan.reuse), "in place", .reused, to: channel)
      card(Grouped.text(plan.conflict), plan.conflict == 1 ? "conflict" : "conflicts", .conflict, to: channel)
      let (amount, unit) = Self.parts(plan.downloadBytes)
      return card("\(amount)<small>\(unit)</small>", "to fetch, as far as known", nil, to: channel)
    }
    card(Grouped.text(summary.downloaded), "downloaded", .downloaded, to: channel)
    card(Grouped.text(summary.reused), "reused", .reused, to: channel)
    card(Grouped.text(summary.conflicts), summary.conflicts == 1 ? "conflict" : "conflicts", .conflict, to: channel)
    card(Grouped.text(summary.failed), "failed", .failed, to: channel)
    let (amount, unit) = Self.parts(summary.fetchedBytes)
    card("\(amount)<small>\(unit)</small>", "fetched", nil, to: channel)
    if let speed = Wording.speed(summary.fetchedBytes, over: summary.seconds), summary.fetchedBytes > .zero {
      let words = speed.split(separator: " ")
      card("\(words[0])<small>\(words.last ?? "")</small>", "on average", nil, to: channel)
    }
  }

  private func card(_ value: String, _ word: String, _ result: FileResult?, to channel: OutputChannel) {
    let isNothing = value == "0"
    let kind = result.map { " k-\($0.rawValue)" } ?? ""
    channel.write("<div class=\"card\(kind)\(isNothing ? " none" : "")\"><b>\(value)</b><span>\(word)</span></div>")
  }

  /// A bar that shows what share of the files came to which end.
  private func writeShares(to channel: OutputChannel) {
    var counts: [FileResult: Int] = [:]
    for file in files { counts[file.result, default: 0] += 1 }
    guard !files.isEmpty else { return }
    channel.write("<div class=\"shares\">")
    for result in FileResult.allCases {
      guard let count = counts[result] else { continue }
      channel.write(
        "<i class=\"k-\(result.rawValue)\" style=\"flex-grow:\(count)\" title=\"\(count) \(result.word)\"></i>")
    }
    channel.write("</div>\n")
  }

  private static func parts(_ bytes: ByteCount) -> (Substring, Substring) {
    let words = bytes.description.split(separator: " ")
    return (words[0], words.last ?? "")
  }
}
