internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncStore

extension Workspace {
  /// What is recorded, of the given manifests or of everything, and how far running tasks are.
  public func status(of manifests: [Manifest]) async throws(DLSyncError) -> StatusSnapshot {
    guard let store = try await Store.open(folder: stateFolder, access: .read) else { return StatusSnapshot() }
    let scopes = manifests.isEmpty ? nil : manifests.map(\.scope)
    var snapshot = StatusSnapshot(
      tasks: try await store.taskSnapshots(of: scopes), queues: try await store.queueSnapshots(of: scopes))
    await wakeAgent(store)
    await store.close()
    findHolders(of: &snapshot.queues)
    snapshot.takeSamples()
    return snapshot
  }

  /// The manifests that something is recorded of, by name or path.
  public func recordedScopes() async throws(DLSyncError) -> Set<Scope> {
    guard let store = try await Store.open(folder: stateFolder, access: .read) else { return [] }
    let scopes = try await store.scopes()
    await store.close()
    return scopes
  }

  /// Which processes run queues at this moment.
  func findHolders(of queues: inout [QueueSnapshot]) {
    for (index, queue) in queues.enumerated() {
      queues[index].runningProcess = QueueLock.holder(
        folder: locksFolder, name: QueueLock.name(scope: queue.scope, queue: queue.name))
    }
  }
}

extension StatusSnapshot {
  private struct Key: Hashable {
    let scope: Scope
    let queue: QueueName
  }

  /// What running processes told counts while they run; what is left of one that was killed does not.
  mutating func takeSamples() {
    var places: [Key: Int] = [:]
    for (index, queue) in queues.enumerated() where queue.runningProcess != nil {
      places[Key(scope: queue.scope, queue: queue.name)] = index
    }
    guard !places.isEmpty else { return }
    for index in tasks.indices {
      guard let sample = tasks[index].lastSample, tasks[index].state == .running,
        let place = places[Key(scope: tasks[index].scope, queue: tasks[index].queue)]
      else { continue }
      // Chunks are confirmed more often than samples are told: there are never less bytes than those of chunks.
      let completed = max(sample.completed, tasks[index].completedBytes)
      let further = completed.bytes - tasks[index].completedBytes.bytes
      tasks[index].completedBytes = completed
      tasks[index].bytesPerSecond = sample.bytesPerSecond
      if tasks[index].totalBytes == nil { tasks[index].totalBytes = sample.total }
      queues[place].completedBytes = ByteCount(max(0, queues[place].completedBytes.bytes &+ further))
      if let speed = sample.bytesPerSecond {
        queues[place].bytesPerSecond = (queues[place].bytesPerSecond ?? 0) + speed
      }
    }
  }
}
