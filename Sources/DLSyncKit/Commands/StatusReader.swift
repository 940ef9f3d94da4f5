public import DLSyncModel
internal import DLSyncThreading

/// Reads the status again and again, and no more often than it may have changed: many tasks are many rows.
public struct StatusReader: Sendable {
  private let workspace: Workspace
  private let manifests: [Manifest]
  private var watch: RecordWatch
  private var snapshot = StatusSnapshot()

  /// Of these manifests, or of everything.
  public init(_ workspace: Workspace, of manifests: [Manifest]) {
    self.workspace = workspace
    self.manifests = manifests
    watch = RecordWatch(stateFolder: workspace.stateFolder)
  }

  /// The status now; nil where nobody has written since the last one and the same processes run the queues.
  public mutating func next() async throws(DLSyncError) -> StatusSnapshot? {
    let now = MonotonicInstant.now
    var queues = snapshot.queues
    // Who was killed wrote nothing.
    workspace.findHolders(of: &queues)
    let isSame = zip(queues, snapshot.queues).allSatisfy { $0.runningProcess == $1.runningProcess }
    guard watch.isDue(now) || !isSame else { return nil }
    snapshot = try await workspace.status(of: manifests)
    watch.hasLooked(since: now, .now)
    return snapshot
  }
}
