import DLSyncModel

/// Runs as JSON, the document that `--format json` prints.
struct JSONReport {
  let runs: [RunRecord]
  let exitStatus: Int32

  func write(to channel: OutputChannel) {
    let json = JSONWriter(channel)
    if let run = runs.first, runs.count == 1 {
      ReportDocument(report: run.report, manifest: run.manifest, exitStatus: exitStatus).write(to: json)
    } else {
      json.object {
        json.field("formatVersion", 1)
        json.field("command", CommandWord.apply.rawValue)
        json.field("manifests", runs) { ReportDocument(report: $0.report, manifest: $0.manifest).write(to: json) }
        json.field("summary") {
          ReportDocument.write(runs.reduce(Report.Summary()) { $0 + $1.report.summary }, to: json)
        }
        json.field("exitStatus", exitStatus)
      }
    }
    json.endLine()
  }
}
