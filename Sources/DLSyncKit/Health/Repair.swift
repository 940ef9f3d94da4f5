internal import DLSyncModel

extension Plan {
  /// The same plan, narrowed to files that do not hold what they should: what was changed since it was published is fetched
  /// again as far as its recorded chunks do not prove it, whatever its time stamps say, and replaces exactly what was seen
  /// there. Files that dlsync never published stay conflicts, and nothing else is fetched.
  func repairing(_ damaged: Set<TaskID>) -> Plan {
    Plan(
      scope: scope, source: source, queues: queues, files: files.map { $0.repairing(damaged.contains($0.entry.id)) },
      orphans: [], warnings: warnings)
  }
}

extension FilePlan {
  fileprivate func repairing(_ isDamaged: Bool) -> FilePlan {
    switch (action, reason) {
    case (.conflict, .destinationModified) where isDamaged, (.reuse, .unchanged) where isDamaged,
      (.download, .stale) where isDamaged:
      FilePlan(entry: entry, action: .download, reason: .resume, bytes: entry.size, basis: basis)
    case (.download, _) where !isDamaged && !isHeld, (.reuse, .copied) where !isDamaged:
      FilePlan(entry: entry, action: .reuse, reason: .kept, basis: basis)
    default: self
    }
  }
}
