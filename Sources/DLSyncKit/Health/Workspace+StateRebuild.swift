internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

extension Workspace {
  /// Makes the state anew from manifests and the files on disk. What could be read of the old one counts as far as it goes.
  /// Nothing is fetched, and no file but those of the state is touched.
  ///
  /// Everything is decided before the first effect. The order of these: queues locked, the old database moved aside (it is
  /// never deleted), a new one made, one commit for each manifest. A crash between any two leaves a state that can be rebuilt
  /// again.
  ///
  /// Errors: `stateLocked` while anybody runs a queue, `stateTooNew`, `stateUnavailable`, `diskFull`.
  @concurrent public func rebuildState(_ manifests: [Manifest]) async throws(DLSyncError) -> StateRebuildResult {
    try Store.requireReplaceable(folder: stateFolder)
    let locks = try QueueLock.takeAll(folder: locksFolder)
    defer { for lock in locks { lock.release() } }
    let readoptions = await ThreadExecutor.withThread(named: "dlsync-verify") {
      manifests.map { Readoption($0, salvaged: Store.salvage(folder: stateFolder, scope: $0.scope)) }
    }
    let named = Set(manifests.map(\.scope))
    let forgotten = Store.salvagedScopes(folder: stateFolder).filter { !named.contains($0) }
    let setAside = try Store.setAside(folder: stateFolder)
    if let store = try await Store.open(folder: stateFolder, access: .write) {
      for readoption in readoptions { try await store.record(readoption.plan, now: .now) }
      await store.close()
    }
    return StateRebuildResult(setAside: setAside, manifests: readoptions.map(\.rebuild), forgotten: forgotten)
  }
}
