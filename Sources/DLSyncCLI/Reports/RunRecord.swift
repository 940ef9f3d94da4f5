import DLSyncKit
import DLSyncModel

/// All that reports know of one run.
struct RunRecord: Sendable {
  let report: Report
  /// The manifest as the user named it.
  let manifest: String
  let scope: Scope
  /// The wall clock at the beginning.
  let started: Timestamp
  /// When what happened; empty unless a report draws it.
  var history = RunHistory()
  /// What is wrong with a manifest that could not be used.
  var diagnostics: [Diagnostic] = []
  /// Whether nothing was to be done but a plan.
  var isDryRun = false
  /// Where it is not the report's own.
  var status: Int32?

  /// The exit status that the run stands for.
  var exitStatus: Int32 { status ?? report.exitStatus }

  /// The wall clock at the end.
  var ended: Timestamp {
    Timestamp(nanoseconds: started.nanoseconds &+ Int64(min(9e9, max(0, report.summary.seconds)) * 1e9))
  }

  /// Seconds from the first event to the last, which is what pictures show.
  var length: Double { max(report.summary.seconds, history.end) }

  /// Each file of the plan with what became of it, in the manifest's order.
  var files: [ReportedFile] {
    guard let plan = report.plan else { return [] }
    return plan.files.indices.map { ReportedFile($0, plan.files[$0], report.outcomes[$0]) }
  }
}

extension RunRecord {
  /// A run that could not begin.
  init(refused failure: FailureDocument) {
    var report = Report()
    report.apply(.finished(RunEnd(seconds: 0, error: failure.error)))
    let manifest = failure.manifest ?? "-"
    self.init(
      report: report, manifest: manifest, scope: Scope(manifest), started: .now, diagnostics: failure.diagnostics,
      status: failure.exitStatus ?? failure.error.code.exitStatus)
  }

  /// The run of a manifest whose turn did not come before the signal.
  init(unbegun manifest: Manifest, signal: Int32) {
    let error = DLSyncError(
      .interrupted, "stopped by \(SignalName.of(signal)) before the turn of \"\(manifest.source)\"; nothing was done",
      hint: "apply again to go on")
    var report = Report()
    report.apply(.finished(RunEnd(seconds: 0, signal: signal, error: error)))
    self.init(report: report, manifest: manifest.source, scope: manifest.scope, started: .now)
  }

  /// A plan that nothing is done about.
  init(planned plan: Plan, status: Int32) {
    var report = Report()
    report.apply(.planned(plan))
    self.init(
      report: report, manifest: plan.source, scope: plan.scope, started: .now, isDryRun: true, status: status)
  }
}

/// A file and what became of it.
struct ReportedFile: Sendable {
  /// The index into the plan.
  let index: Int
  let plan: FilePlan
  let outcome: FileOutcome?
  let result: FileResult

  init(_ index: Int, _ plan: FilePlan, _ outcome: FileOutcome?) {
    self.index = index
    self.plan = plan
    self.outcome = outcome
    result = FileResult(plan, outcome)
  }

  /// The name as people know it.
  var name: String { plan.entry.destination.relativePath }

  /// What keeps the file from being as the manifest says: of a failed one and of a conflict.
  var error: DLSyncError? {
    guard result.isTrouble else { return nil }
    return outcome?.error ?? plan.error
  }

  /// Its size, as far as it is known.
  var size: ByteCount? { outcome?.bytes ?? plan.entry.size ?? plan.bytes }
}
