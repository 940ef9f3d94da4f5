import DLSyncKit
import DLSyncModel

/// What `verify` found, counted.
struct Verification {
  let files: [VerifiedFile]
  private let found: Summary
  /// The run that fetched again what was not intact; nil where nothing was to be repaired or nobody asked.
  var repair: Report?

  struct Summary: Hashable, Sendable {
    var total = 0
    var intact = 0
    var missing = 0
    var differs = 0
    var unreadable = 0
    /// There is nothing to compare the file with.
    var notRecorded = 0
    /// Files that are intact again.
    var repaired = 0
  }

  init(_ files: [VerifiedFile]) {
    self.files = files
    var summary = Summary()
    for file in files {
      summary.total += 1
      switch file.finding {
      case .intact: summary.intact += 1
      case .missing: summary.missing += 1
      case .differs: summary.differs += 1
      case .unreadable: summary.unreadable += 1
      case .notRecorded: summary.notRecorded += 1
      }
    }
    found = summary
  }

  /// What was found, and how much of it is repaired.
  var summary: Summary {
    var summary = found
    summary.repaired = repaired.count
    return summary
  }

  /// Files that can be fetched again.
  var damaged: Set<TaskID> {
    Set(files.filter { $0.finding == .missing || $0.finding == .differs }.map(\.entry.id))
  }

  /// Files that are intact again.
  var repaired: Set<TaskID> {
    guard let repair, let plan = repair.plan else { return [] }
    let right = zip(plan.files, repair.outcomes).filter { file, outcome in
      outcome.map { $0.state == .completed } ?? (file.action == .reuse && file.reason != .kept)
    }
    return damaged.intersection(right.map(\.0.entry.id))
  }

  /// Why a file is not repaired.
  var errors: [TaskID: DLSyncError] {
    guard let repair, let plan = repair.plan else { return [:] }
    let errors = zip(plan.files, repair.outcomes).compactMap { file, outcome in
      (outcome?.error ?? (outcome == nil ? file.error : nil)).map { (file.entry.id, $0) }
    }
    return Dictionary(errors) { first, _ in first }
  }

  /// 0 only where every file is vouched for; the repairing run's own status where it was stopped or could not begin.
  var exitStatus: Int32 {
    if let end = repair?.end, end.signal != nil || end.error != nil { return repair?.exitStatus ?? 1 }
    let summary = summary
    return summary.intact + summary.repaired == summary.total ? 0 : 1
  }

  /// The finding as JSON and text spell it.
  static func word(_ finding: VerifiedFile.Finding) -> String {
    switch finding {
    case .intact: "intact"
    case .missing: "missing"
    case .differs: "differs"
    case .unreadable: "unreadable"
    case .notRecorded: "notRecorded"
    }
  }
}

extension Verification.Summary {
  static func + (left: Self, right: Self) -> Self {
    Self(
      total: left.total + right.total, intact: left.intact + right.intact, missing: left.missing + right.missing,
      differs: left.differs + right.differs, unreadable: left.unreadable + right.unreadable,
      notRecorded: left.notRecorded + right.notRecorded, repaired: left.repaired + right.repaired)
  }
}
