import DLSyncKit
import DLSyncModel
import DLSyncSystem
import Glibc

/// Writes the report files that the user asked for.
struct ReportWriter {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Whether a report draws when what happened.
  var needsHistory: Bool { context.settings.reports.contains { $0.format == .html } }

  /// Writes every report of these runs. What cannot be written is a warning, and failure where there would be success.
  /// Answers the exit status. A pipe's reader is waited for until `stop` is asked, which counts as long as anything goes on.
  func write(_ runs: [RunRecord], exitStatus: Int32, _ stop: StopRequest) -> Int32 {
    write(runs, exitStatus: exitStatus, stop) { JSONReport(runs: runs, exitStatus: $1).write(to: $0) }
  }

  /// Writes every report of a command that could do nothing: whoever reads the last one would take it for this one.
  func write(refused failures: [FailureDocument], as document: FailureDocument) {
    let runs = failures.map(RunRecord.init(refused:))
    _ = write(runs, exitStatus: 1) { channel, _ in document.write(to: JSONWriter(channel), .json) }
  }

  /// The same, with a JSON report of its own.
  func write(
    _ runs: [RunRecord], exitStatus: Int32, _ stop: StopRequest? = nil, json: (OutputChannel, Int32) -> Void
  ) -> Int32 {
    guard !runs.isEmpty else { return exitStatus }
    var round = Round(runs: runs, status: exitStatus, stop: stop)
    // A JSON document has the exit status, which those before it may still change.
    for request in context.settings.reports where request.format != .json { _ = write(&round, request, json) }
    let documents = context.settings.reports.filter { $0.format == .json }
    let before = round.status
    let written = documents.filter { write(&round, $0, json) }
    if round.status != before {
      for request in written where Self.isFile(request.path) { _ = write(&round, request, json) }
    }
    return round.status
  }

  /// What is told in all reports that are left to write.
  private struct Round {
    var runs: [RunRecord]
    var status: Int32
    let stop: StopRequest?

    mutating func note(failed: Bool) {
      if failed, status == 0 { status = 1 }
      guard let signal = stop?.signal else { return }
      status = 128 + signal
      if runs.count == 1 { runs[0].status = status }
    }
  }

  private func write(
    _ round: inout Round, _ request: ReportRequest, _ json: (OutputChannel, Int32) -> Void
  ) -> Bool {
    round.note(failed: false)
    if request.format == .prom, round.runs.contains(where: \.isDryRun) {
      context.warn("the report \"\(request.path)\" is left as it is: a dry run has no metrics")
      return true
    }
    let (runs, status, stop) = (round.runs, round.status, round.stop)
    do throws(SystemTrouble) {
      try ReportFile.write(request.path, isStopped: { stop?.signal != nil }) { channel in
        render(runs, request, to: channel) { json($0, status) }
      }
      return true
    } catch {
      context.warn("the report \"\(request.path)\" could not be written: \(error.text)")
      round.note(failed: true)
      return false
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var attributes = stat()
    return stat(path, &attributes) == 0 && attributes.st_mode & S_IFMT == S_IFREG
  }

  private func render(
    _ runs: [RunRecord], _ request: ReportRequest, to channel: OutputChannel, _ json: (OutputChannel) -> Void
  ) {
    switch request.format {
    case .html: HTMLReport(runs: runs).write(to: channel)
    case .json: json(channel)
    case .md: MarkdownReport(runs: runs).write(to: channel)
    case .prom:
      // The old report is still there: the new one takes its name when it is complete.
      let old = Self.text(of: request.path)
      PrometheusReport(runs: runs, lastSuccesses: PrometheusReport.lastSuccesses(in: old)).write(to: channel)
    case .xml: JUnitReport(runs: runs).write(to: channel)
    }
  }

  /// The beginning of a regular file, empty where there is none.
  private static func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var attributes = stat()
    guard fstat(descriptor, &attributes) == 0, attributes.st_mode & S_IFMT == S_IFREG else { return "" }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var length = 0
    while length < buffer.count {
      let space = buffer.count - length
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + length, space) }
      guard count > 0 else { break }
      length += count
    }
    return String(decoding: buffer[..<length], as: UTF8.self)
  }
}
