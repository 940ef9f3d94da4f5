import DLSyncKit
import DLSyncModel

/// What `verify` found, counted.
struct Verification {
  let files: [VerifiedFile]
  let summary: Summary

  struct Summary: Hashable, Sendable {
    var total = 0
    var intact = 0
    var missing = 0
    var differs = 0
    var unreadable = 0
    /// There is nothing to compare the file with.
    var notRecorded = 0
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
    self.summary = summary
  }

  /// 0 only where every file is vouched for.
  var exitStatus: Int32 { summary.intact == summary.total ? 0 : 1 }

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
      notRecorded: left.notRecorded + right.notRecorded)
  }
}
