public import DLSyncModel

/// Compares what a manifest wants with what is recorded and what is on disk, and says what is to be done: the same plan
/// that `dlsync plan` prints.
///
/// ```swift
/// let plan = try await Planner(workspace).plan(manifest)
/// for file in plan.files where file.action == .conflict { print(file.entry.destination, file.reason) }
/// ```
public struct Planner: Sendable {
  private let workspace: Workspace

  /// Plans on the record of a state folder.
  public init(_ workspace: Workspace) { self.workspace = workspace }

  /// A plan. Contacts no server, unless the options ask for a refresh, and changes nothing, not even the state.
  ///
  /// Throws `stateUnavailable` or `stateTooNew` where the record cannot be read, `lockOutdated` where the options require a
  /// lock file that does not cover the files.
  public func plan(_ manifest: Manifest, _ options: PlanOptions = PlanOptions()) async throws(DLSyncError) -> Plan {
    try await workspace.plan(manifest, options)
  }
}
