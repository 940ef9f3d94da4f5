import DLSyncModel

/// A run as JUnit XML, the form that CI servers read: a test suite for each manifest, a test case for each file. It fits
/// the schema of Apache Ant, which is strict about order and attributes, and the one of Jenkins.
struct JUnitReport {
  let runs: [RunRecord]

  func write(to channel: OutputChannel) {
    channel.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
    for (index, run) in runs.enumerated() { write(run, number: index, to: channel) }
    channel.write("</testsuites>\n")
  }

  private func write(_ run: RunRecord, number: Int, to channel: OutputChannel) {
    let files = run.files
    let failures = files.count { $0.result.isTrouble }
    let skipped = files.count { Self.isSkipped($0.result) }
    let errors = run.report.end?.error == nil ? 0 : 1
    channel.write(
      "<testsuite id=\"\(number)\" package=\"dlsync\" name=\(quoted(run.scope.text)) hostname=\"localhost\"")
    channel.write(" tests=\"\(files.count + errors)\"")
    channel.write(" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\"")
    channel.write(" time=\"\(Decimal.thousandths(run.report.summary.seconds))\"")
    // In UTC; the schema knows no zones.
    channel.write(" timestamp=\"\(TimestampText.standard(run.started).dropLast())\">\n")
    channel.write("<properties><property name=\"manifest\" value=\(quoted(run.manifest))/>")
    channel.write("<property name=\"exitStatus\" value=\"\(run.exitStatus)\"/></properties>\n")
    for file in files { write(file, to: channel) }
    if let error = run.report.end?.error {
      channel.write("<testcase classname=\"dlsync\" name=\"the run itself\" time=\"0\">\n")
      write(error, element: "error", more: run.diagnostics.map { "\n" + $0.description }.joined(), to: channel)
      channel.write("</testcase>\n")
    }
    let warnings = files.flatMap { file in (file.outcome?.warnings ?? []).map { "\(file.name): \($0)" } }
    channel.write("<system-out>\(lines(warnings))</system-out>\n")
    channel.write("<system-err>\(lines(run.report.warnings))</system-err>\n")
    channel.write("</testsuite>\n")
  }

  private func write(_ file: ReportedFile, to channel: OutputChannel) {
    let seconds = Decimal.thousandths(file.outcome?.seconds ?? 0)
    channel.write("<testcase classname=\(quoted(file.plan.entry.queue.text)) name=\(quoted(file.name))")
    channel.write(" time=\"\(seconds)\"")
    guard file.result.isTrouble || Self.isSkipped(file.result) else {
      channel.write("/>\n")
      return
    }
    channel.write(">\n")
    if let error = file.error {
      write(error, element: "failure", heading: file.plan.entry.url.redacted + "\n", to: channel)
    } else if Self.isSkipped(file.result) {
      channel.write("<skipped message=\"\(file.result.word)\"/>\n")
    }
    channel.write("</testcase>\n")
  }

  private func write(
    _ error: DLSyncError, element: String, heading: String = "", more: String = "", to channel: OutputChannel
  ) {
    channel.write("<\(element) type=\"\(error.code)\" message=\(quoted("\(error.code): \(error.message)"))>")
    channel.write(lines([heading + error.message + (error.hint.map { "\nhint: \($0)" } ?? "") + more]))
    channel.write("</\(element)>\n")
  }

  /// Whether nothing was to be done yet about a file.
  private static func isSkipped(_ result: FileResult) -> Bool {
    switch result {
    case .held, .pending, .canceled, .handedOver: true
    case .failed, .conflict, .downloaded, .reused: false
    }
  }

  /// The texts, each on lines of its own, with their own line breaks kept.
  private func lines(_ texts: [String]) -> String {
    texts.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }.map { Markup.escaped(String($0)) }
      .joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String { "\"\(Markup.escaped(text))\"" }
}
