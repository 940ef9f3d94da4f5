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
  let history: RunHistory

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
