import DLSyncModel
import DLSyncSystem
import Glibc

/// Writes the report files that the user asked for.
struct ReportWriter {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Whether a report draws when what happened.
  var needsHistory: Bool { context.settings.reports.contains { $0.format == .html } }

  /// Writes every report of these runs. What cannot be written is a warning; false where there was one.
  func write(_ runs: [RunRecord], exitStatus: Int32) -> Bool {
    write(runs) { JSONReport(runs: runs, exitStatus: exitStatus).write(to: $0) }
  }

  /// Writes every report of a command that could do nothing: whoever reads the last one would take it for this one.
  func write(refused failures: [FailureDocument], as document: FailureDocument) {
    _ = write(failures.map(RunRecord.init(refused:))) { document.write(to: JSONWriter($0), .json) }
  }

  /// The same, with a JSON report of its own.
  func write(_ runs: [RunRecord], json: (OutputChannel) -> Void) -> Bool {
    var wroteAll = true
    for request in context.settings.reports where !runs.isEmpty {
      if request.format == .prom, runs.contains(where: \.isDryRun) {
        context.warn("the report \"\(request.path)\" is left as it is: a dry run has no metrics")
        continue
      }
      do throws(SystemTrouble) {
        try ReportFile.write(request.path) { channel in render(runs, request, json, to: channel) }
      } catch {
        wroteAll = false
        context.warn("the report \"\(request.path)\" could not be written: \(error.text)")
      }
    }
    return wroteAll
  }

  private func render(
    _ runs: [RunRecord], _ request: ReportRequest, _ json: (OutputChannel) -> Void, to channel: OutputChannel
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
