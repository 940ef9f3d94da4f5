internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// One run of one background queue, by the agent: from the lock to the last file, with what is handed over meanwhile.
struct QueueRunner: Sendable {
  private let queue: BackgroundQueue
  private let workspace: Workspace
  private let store: Store
  private let lock: QueueLock
  private let relay: EventRelay
  private let collector: ReportCollector
  private let execution: Execution

  /// Locks the queue and plans what is to be done; nil when another process runs the queue.
  static func begin(
    _ queue: BackgroundQueue, _ workspace: Workspace, transport: any Transport, listener: any AgentListener
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
      let entries = try await store.backgroundEntries(of: queue.scope, queue.declaration.name)
      let manifest = Self.manifest(queue, entries.map(\.entry))
      let plan = try await Self.plan(entries, of: queue, store, workspace)
      let collector = ReportCollector(listener.observer(of: queue.scope, queue.declaration.name))
      let relay = EventRelay(collector)
      let execution = Execution(
        plan: plan, manifest: manifest, options: ApplyOptions(), transport: transport, store: store, relay: relay,
        environment: workspace.environment, cache: workspace.cache, isAgents: true)
      return QueueRunner(
        queue: queue, workspace: workspace, store: store, lock: lock, relay: relay, collector: collector,
        execution: execution)
    } catch {
      lock.release()
      throw error
    }
  }

  /// Runs to the end, or until `stop` is asked. Answers whether anything came of it.
  func run(stop: StopRequest) async -> Bool {
    async let delivery: Void = relay.run()
    await execution.run(stop: stop)
    relay.finish()
    await delivery
    let report = collector.report
    try? await store.logEnd(LogLine(report, scope: queue.scope))
    await store.close()
    lock.release()
    return report.outcomes.contains { $0 != nil }
  }

  /// Takes in what was handed over since.
  func takeMore() async throws(DLSyncError) {
    let entries = try await store.backgroundEntries(of: queue.scope, queue.declaration.name)
    let fresh = await execution.unknown(among: entries)
    guard !fresh.isEmpty else { return }
    await execution.join(try await Self.plan(fresh, of: queue, store, workspace).files)
  }

  private static func manifest(_ queue: BackgroundQueue, _ entries: [FileEntry]) -> Manifest {
    Manifest(
      scope: queue.scope, source: queue.scope.text, root: "/", queues: [queue.declaration], files: entries)
  }

  /// A plan in which everything is to be done; the record of the rest says what became of it.
  private static func plan(
    _ entries: [BackgroundEntry], of queue: BackgroundQueue, _ store: Store, _ workspace: Workspace
  ) async throws(DLSyncError) -> Plan {
    var refreshing = PlanOptions()
    refreshing.refreshes = true
    let stale = entries.filter(\.isRefresh)
    let plan = try await Self.plan(
      manifest(queue, entries.filter { !$0.isRefresh }.map(\.entry)), PlanOptions(), store, workspace)
    guard !stale.isEmpty else { return plan }
    return plan.adding(
      try await Self.plan(manifest(queue, stale.map(\.entry)), refreshing, store, workspace).files)
  }

  private static func plan(
    _ manifest: Manifest, _ options: PlanOptions, _ store: Store, _ workspace: Workspace
  ) async throws(DLSyncError) -> Plan {
    let facts = try await Facts.gather(manifest, store: store, workspace: workspace)
    let elsewhere = Elsewhere(store: store, cache: workspace.cache)
    let plan = try await facts.plan(manifest, options, elsewhere: elsewhere)
    removeLeftovers(of: plan.files.filter { $0.settles != nil }.map(\.entry))
    let changes = plan.files.flatMap { file -> [TaskChange] in
      let id = file.entry.id
      return switch file.action {
      case .conflict:
        [.left(id, .failed, fetched: .zero, error: file.error), .state(id, .failed, error: file.error)]
      case .reuse where !file.isCopied && file.settles == nil:
        [.left(id, .completed, fetched: .zero, error: nil), .state(id, .completed, error: nil)]
      case .reuse, .download: []
      }
    }
    try await store.update(changes, now: .now)
    return plan
  }
}
