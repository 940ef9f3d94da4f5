import DLSyncModel

/// What became of a file, one word for each number of a report's summary. The same rules as `Report`, which counts.
enum FileResult: String, CaseIterable, Sendable {
  case failed, conflict, downloaded, reused, held, pending, canceled, handedOver

  init(_ plan: FilePlan, _ outcome: FileOutcome?) {
    guard let outcome else {
      self = Self.withoutOutcome(plan)
      return
    }
    if outcome.isHandedOver {
      self = .handedOver
      return
    }
    switch outcome.state {
    case .completed:
      let hasCome = outcome.fetchedBytes > .zero || plan.action == .download && plan.reason != .stale
      self = hasCome ? .downloaded : .reused
    case .failed where plan.action == .conflict || outcome.error?.code.exitStatus == 3: self = .conflict
    case .failed: self = .failed
    case .canceled, .removed: self = .canceled
    case .suspended: self = .held
    default: self = .pending
    }
  }

  private static func withoutOutcome(_ plan: FilePlan) -> FileResult {
    if plan.action == .conflict { return .conflict }
    if plan.isHeld { return plan.reason == .canceled ? .canceled : .held }
    return plan.action == .reuse ? .reused : .pending
  }

  /// Whether somebody has to look at the file.
  var isTrouble: Bool { self == .failed || self == .conflict }

  /// As people read it.
  var word: String { self == .handedOver ? "handed over" : rawValue }
}
