internal import DLSyncModel

extension FilePlan {
  /// The plan of a stale file whose server has nothing newer, or was not to be asked.
  var unchanged: FilePlan { FilePlan(entry: entry, action: .reuse, reason: .unchanged, basis: basis) }
}
