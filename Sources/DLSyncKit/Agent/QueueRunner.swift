internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncTransfer

/// One run of one background queue, by the agent: from the lock to the last file, with what is handed over meanwhile.
struct QueueRunner: Sendable {
  private let queue: BackgroundQueue
  private let lock: QueueLock
  private let run: RecordedRun

  /// Locks the queue and plans what is to be done; nil when another process runs the queue, or nothing is left to do.
  static func begin(
    _ queue: BackgroundQueue, _ workspace: Workspace, transport: any Transport, listener: any AgentListener,
    stop: StopRequest
  ) async throws(DLSyncError) -> QueueRunner? {
    let name = QueueLock.name(scope: queue.scope, queue: queue.declaration.name)
    let lock: QueueLock
    do throws(DLSyncError) {
      lock = try QueueLock.take(folder: workspace.locksFolder, name: name)
    } catch {
      guard error.code == .stateLocked else { throw error }
      return nil
    }
    do throws(DLSyncError) {
      guard let store = try await Store.open(folder: workspace.stateFolder, access: .write) else { return nil }
      let run = try await RecordedRun.begin(
        queue.declaration, of: queue.scope, workspace, store: store, transport: transport,
        observer: listener.observer(of: queue.scope, queue.declaration.name), turnstile: Gate(), cancel: stop.token
      ) { () throws(DLSyncError) in
        try await store.backgroundEntries(of: queue.scope, queue.declaration.name)
      }
      guard let run else {
        await store.close()
        lock.release()
        return nil
      }
      return QueueRunner(queue: queue, lock: lock, run: run)
    } catch {
      lock.release()
      throw error
    }
  }

  /// Runs to the end, or until `stop` is asked. Answers whether anything came of it.
  func run(stop: StopRequest) async -> Bool {
    let report = await run.run(stop: stop)
    await run.store.close()
    lock.release()
    return report.outcomes.contains { $0 != nil }
  }

  func isSame(as other: QueueRunner) -> Bool { run.execution === other.run.execution }

  /// Takes in what was handed over since.
  func takeMore() async throws(DLSyncError) {
    try await take { () throws(DLSyncError) in
      try await run.store.backgroundEntries(of: queue.scope, queue.declaration.name)
    }
  }

  /// Takes in what is read of the record.
  func take(_ read: () async throws(DLSyncError) -> [BackgroundEntry]) async throws(DLSyncError) {
    try await run.take(read)
  }
}
