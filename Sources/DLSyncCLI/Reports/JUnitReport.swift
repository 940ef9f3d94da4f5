import DLSyncModel

/// A run as JUnit XML, the form that CI servers read: a test suite for each manifest, a test case for each file.
struct JUnitReport {
  let runs: [RunRecord]

  func write(to channel: OutputChannel) {
    channel.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dlsync\">\n")
    for run in runs { write(run, to: channel) }
    channel.write("</testsuites>\n")
  }

  private func write(_ run: RunRecord, to channel: OutputChannel) {
    let files = run.files
    let failures = files.count { $0.result.isTrouble }
    let skipped = files.count { Self.isSkipped($0.result) }
    let errors = run.report.end?.error == nil ? 0 : 1
    channel.write("<testsuite name=\(quoted(run.scope.text)) tests=\"\(files.count + errors)\"")
    channel.write(" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\"")
    channel.write(" time=\"\(Decimal.thousandths(run.report.summary.seconds))\"")
    channel.write(" timestamp=\"\(TimestampText.standard(run.started))\">\n")
    for file in files { write(file, to: channel) }
    if let error = run.report.end?.error {
      channel.write("<testcase classname=\"dlsync\" name=\"the run itself\" time=\"0\">\n")
      write(error, element: "error", heading: "", to: channel)
      channel.write("</testcase>\n")
    }
    if !run.report.warnings.isEmpty {
      channel.write("<system-err>\(Markup.escaped(run.report.warnings[0]))")
      for warning in run.report.warnings.dropFirst() { channel.write("\n" + Markup.escaped(warning)) }
      channel.write("</system-err>\n")
    }
    channel.write("</testsuite>\n")
  }

  private func write(_ file: ReportedFile, to channel: OutputChannel) {
    let seconds = Decimal.thousandths(file.outcome?.seconds ?? 0)
    channel.write("<testcase classname=\(quoted(file.plan.entry.queue.text)) name=\(quoted(file.name))")
    channel.write(" time=\"\(seconds)\"")
    let warnings = file.outcome?.warnings ?? []
    guard file.result.isTrouble || Self.isSkipped(file.result) || !warnings.isEmpty else {
      channel.write("/>\n")
      return
    }
    channel.write(">\n")
    if let error = file.error {
      write(error, element: "failure", heading: file.plan.entry.url.redacted + "\n", to: channel)
    } else if Self.isSkipped(file.result) {
      channel.write("<skipped message=\"\(file.result.word)\"/>\n")
    }
    if !warnings.isEmpty {
      channel.write("<system-out>\(Markup.escaped(warnings[0]))")
      for warning in warnings.dropFirst() { channel.write("\n" + Markup.escaped(warning)) }
      channel.write("</system-out>\n")
    }
    channel.write("</testcase>\n")
  }

  private func write(_ error: DLSyncError, element: String, heading: String, to channel: OutputChannel) {
    channel.write("<\(element) type=\"\(error.code)\" message=\(quoted("\(error.code): \(error.message)"))>")
    channel.write(lines(heading + error.message + (error.hint.map { "\nhint: \($0)" } ?? "")))
    channel.write("</\(element)>\n")
  }

  /// Whether nothing was to be done yet about a file.
  private static func isSkipped(_ result: FileResult) -> Bool {
    switch result {
    case .held, .pending, .canceled, .handedOver: true
    case .failed, .conflict, .downloaded, .reused: false
    }
  }

  /// The text with its own line breaks kept.
  private func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { Markup.escaped(String($0)) }
      .joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String { "\"\(Markup.escaped(text))\"" }
}
