import DLSyncModel

/// Every file of a run: a table that can be filtered without a script, and sorted and searched with one.
///
/// Rows stand in blocks that a browser lays out only when they come into sight: tens of thousands stay quick. Closing tags
/// that HTML lets one leave out are left out.
struct HTMLFileTable {
  private let files: [ReportedFile]
  private let number: Int
  private let hasQueues: Bool
  private static let rowsInBlock = 250

  init(_ files: [ReportedFile], number: Int) {
    self.files = files
    self.number = number
    let queue = files.first?.plan.entry.queue
    hasQueues = files.contains { $0.plan.entry.queue != queue }
  }

  func write(to channel: OutputChannel) {
    guard !files.isEmpty else { return }
    channel.write("<h2>Files</h2>\n<div class=\"files\">")
    writeFilters(to: channel)
    channel.write("<table class=\"\(hasQueues ? "queues" : "")\"><thead><tr><th>result<th>file")
    if hasQueues { channel.write("<th>queue") }
    channel.write("<th class=\"n\">size<th class=\"n o\">fetched<th class=\"n\">time<th class=\"n o\">speed")
    channel.write("<th class=\"n o\">tries<th class=\"o\">SHA-256</tr></thead>\n<tbody>")
    for (index, file) in files.enumerated() {
      if index > 0, index % Self.rowsInBlock == 0 { channel.write("</tbody>\n<tbody>") }
      write(file, to: channel)
    }
    channel.write("</tbody></table></div>\n")
  }

  /// One choice for each result that there is, worked by the style sheet.
  private func writeFilters(to channel: OutputChannel) {
    var counts: [FileResult: Int] = [:]
    for file in files { counts[file.result, default: 0] += 1 }
    channel.write("<fieldset><legend>show</legend>")
    filter("all", "all", files.count, isChosen: true, to: channel)
    if counts.count > 1 {
      for result in FileResult.allCases {
        if let count = counts[result] { filter(result.rawValue, result.word, count, isChosen: false, to: channel) }
      }
    }
    channel.write("</fieldset>\n")
  }

  private func filter(_ key: String, _ word: String, _ count: Int, isChosen: Bool, to channel: OutputChannel) {
    channel.write("<label class=\"k-\(key)\"><input type=\"radio\" name=\"show\(number)\" class=\"f-\(key)\"")
    channel.write("\(isChosen ? " checked" : "")>\(word) <small>\(Grouped.text(count))</small></label>")
  }

  private func write(_ file: ReportedFile, to channel: OutputChannel) {
    let outcome = file.outcome
    let seconds = outcome?.seconds ?? 0
    let fetched = outcome?.fetchedBytes ?? .zero
    let entry = file.plan.entry
    channel.write("<tr class=\"\(file.result.rawValue)\"><td>\(file.result.word)<td title=\"")
    channel.write("\(Markup.escaped(entry.url.redacted))\">\(Markup.escaped(file.name))")
    if let error = file.error { channel.write("<em>\(error.code)</em>") }
    if hasQueues { channel.write("<td>\(Markup.escaped(entry.queue.text))") }
    channel.write("<td>\(file.size?.description ?? "")<td>\(fetched > .zero ? fetched.description : "")")
    channel.write("<td>\(seconds > 0 ? Wording.duration(seconds) : "")<td>")
    if fetched > .zero { channel.write(Wording.fileSpeed(fetched, over: seconds) ?? "") }
    channel.write("<td>\(outcome.map { $0.attempts > 0 ? "\($0.attempts)" : "" } ?? "")<td>")
    channel.write("\(outcome?.fingerprint?.hex ?? "")</tr>\n")
  }
}
