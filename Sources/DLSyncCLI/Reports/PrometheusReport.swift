import DLSyncModel

/// A run for the textfile collector of node_exporter, in the text-based exposition format, version 0.0.4. A sample of each
/// metric for each manifest, told apart by its scope.
struct PrometheusReport {
  let runs: [RunRecord]
  /// When each scope last succeeded, in seconds since 1970, as the report that is to be replaced has it: a run that fails
  /// must not make that forgotten.
  let lastSuccesses: [String: String]

  private static let success = "dlsync_last_success_timestamp_seconds"

  func write(to channel: OutputChannel) {
    metric("dlsync_last_run_timestamp_seconds", "When the last run ended, in Unix time.", to: channel) {
      [([], Decimal.thousandths($0.ended.seconds))]
    }
    metric(Self.success, "When a run last ended with all files as the manifest says, in Unix time.", to: channel) {
      run in
      let time = run.exitStatus == 0 ? Decimal.thousandths(run.ended.seconds) : lastSuccesses[run.scope.text]
      return time.map { [([], $0)] } ?? []
    } more: {
      // The name of a manifest that cannot be read is unknown, so is which of these are its own.
      let isUnknown = runs.contains { $0.report.plan == nil }
      let scopes = Set(runs.map(\.scope.text))
      let kept = isUnknown ? lastSuccesses.filter { !scopes.contains($0.key) } : [:]
      return kept.sorted { $0.key < $1.key }.map { Self.line(Self.success, $0.key, ([], $0.value)) }
    }
    metric("dlsync_last_run_duration_seconds", "How long the last run took.", to: channel) {
      [([], Decimal.thousandths($0.report.summary.seconds))]
    }
    metric("dlsync_last_run_exit_status", "The exit status of the last run; 0 is success.", to: channel) {
      [([], "\($0.exitStatus)")]
    }
    metric("dlsync_files", "Files of the manifest by what became of them in the last run.", to: channel) { run in
      var counts: [FileResult: Int] = [:]
      for file in run.files { counts[file.result, default: 0] += 1 }
      return FileResult.allCases.map { ([("result", $0.rawValue)], "\(counts[$0] ?? 0)") }
    }
    metric("dlsync_downloaded_bytes", "Sizes of the files that came in the last run.", to: channel) {
      [([], "\($0.report.summary.bytes.bytes)")]
    }
    metric(
      "dlsync_fetched_bytes", "Payload that travelled in the last run, failed attempts included.", to: channel
    ) {
      [([], "\($0.report.summary.fetchedBytes.bytes)")]
    }
  }

  private typealias Sample = (labels: [(name: String, value: String)], value: String)

  private func metric(
    _ name: String, _ help: String, to channel: OutputChannel, _ samples: (RunRecord) -> [Sample],
    more: () -> [String] = { [] }
  ) {
    let lines = runs.flatMap { run in samples(run).map { Self.line(name, run.scope.text, $0) } } + more()
    guard !lines.isEmpty else { return }
    channel.write("# HELP \(name) \(help)\n# TYPE \(name) gauge\n")
    for line in lines { channel.write(line) }
  }

  private static func line(_ name: String, _ scope: String, _ sample: Sample) -> String {
    let labels = ([("scope", scope)] + sample.labels).map { "\($0.0)=\"\(escaped($0.1))\"" }
    return "\(name){\(labels.joined(separator: ","))} \(sample.value)\n"
  }

  /// The successes that an earlier report tells of, by scope; none where the text is something else.
  static func lastSuccesses(in text: String) -> [String: String] {
    var result: [String: String] = [:]
    let head = "\(success){scope=\""
    for line in text.split(separator: "\n") where line.hasPrefix(head) {
      guard let brace = line.lastIndex(of: "}"), line[..<brace].hasSuffix("\"") else { continue }
      let value = line[line.index(after: brace)...].drop { $0 == " " }
      guard Double(value) != nil else { continue }
      let scope = line[line.index(line.startIndex, offsetBy: head.count)..<brace].dropLast()
      result[unescaped(scope)] = String(value)
    }
    return result
  }

  /// A label's value: backslash, quote and line feed are escaped, everything else stands for itself.
  private static func escaped(_ text: String) -> String {
    text.escaped { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: nil
      }
    }
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for character in text.unicodeScalars {
      if isEscaped {
        result.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return String(result)
  }
}
