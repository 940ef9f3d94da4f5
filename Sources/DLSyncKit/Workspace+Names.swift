public import DLSyncModel
internal import DLSyncStore

extension Workspace {
  /// What is recorded, quickly, for a shell that completes: all queues, and the tasks unless there are more than the limit.
  /// Changes nothing; where there is no state, there is nothing.
  public func recordedNames(taskLimit: Int) async throws(DLSyncError) -> StatusSnapshot {
    guard let store = try await Store.open(folder: stateFolder, access: .read) else { return StatusSnapshot() }
    let queues = try await store.queueSnapshots(of: nil)
    let count = queues.reduce(0) { $0 + $1.taskCount }
    let tasks = count <= taskLimit ? try await store.taskSnapshots(of: nil) : []
    await store.close()
    return StatusSnapshot(tasks: tasks, queues: queues)
  }
}
