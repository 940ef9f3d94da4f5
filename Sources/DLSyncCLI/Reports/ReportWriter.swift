import DLSyncModel
import Glibc

/// Writes the report files that the user asked for.
struct ReportWriter {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Whether a report draws when what happened.
  var needsHistory: Bool { context.settings.reports.contains { $0.format == .html } }

  /// Writes every report of these runs. What cannot be written is a warning; false where there was one.
  func write(_ runs: [RunRecord], exitStatus: Int32) -> Bool {
    var wroteAll = true
    for request in context.settings.reports where !runs.isEmpty {
      do throws(SystemTrouble) {
        try ReportFile.write(request.path) { channel in render(runs, request, exitStatus, to: channel) }
      } catch {
        wroteAll = false
        context.warn("the report \"\(request.path)\" could not be written: \(error.text)")
      }
    }
    return wroteAll
  }

  private func render(_ runs: [RunRecord], _ request: ReportRequest, _ exitStatus: Int32, to channel: OutputChannel) {
    switch request.format {
    case .html: HTMLReport(runs: runs).write(to: channel)
    case .json: JSONReport(runs: runs, exitStatus: exitStatus).write(to: channel)
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
