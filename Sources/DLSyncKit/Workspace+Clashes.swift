public import DLSyncModel
internal import DLSyncPlanner

extension Workspace {
  /// Files that stand in one another's way whatever is on disk, recorded, or in other manifests: two that want one
  /// destination or the folder of the other's, or one URL with different wishes. A plan has the same conflicts, and may have
  /// more. In the manifest's order.
  public static func clashes(in manifest: Manifest) -> [FilePlan] {
    DLSyncPlanner.Planner(options: PlanningOptions(now: .now)).prepare(manifest, StoredState()).clashes
  }
}
