internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// One run of one queue from the record alone: what the agent does with what was handed to it, and a `DownloadManager`
/// with what a program asked for. It takes in more while it goes on. The caller holds the queue's lock.
struct RecordedRun: Sendable {
  let scope: Scope
  let declaration: QueueDeclaration
  let workspace: Workspace
  let store: Store
  let execution: Execution
  /// What was decided when it began.
  let plan: Plan
  private let relay: EventRelay
  private let collector: ReportCollector
  /// Ends the reading of files that are there already.
  private let cancel: CancelToken?

  /// Plans what is to be done.
  static func begin(
    _ declaration: QueueDeclaration, of scope: Scope, _ entries: [BackgroundEntry], _ workspace: Workspace,
    store: Store,
    transport: any Transport, observer: any RunObserver, tap: (@Sendable (Event) -> Void)? = nil,
    onRecord: (@Sendable ([RecordedChange]) -> Void)? = nil, turnstile: Gate? = nil, cancel: CancelToken? = nil
  ) async throws(DLSyncError) -> RecordedRun {
    let manifest = Self.manifest(scope, declaration, entries.map(\.entry))
    let collector = ReportCollector(observer)
    let relay = EventRelay(collector, tap: tap)
    let plan = try await Self.plan(entries, declaration, of: scope, store, workspace, cancel, relay)
    let execution = Execution(
      plan: plan, manifest: manifest, options: ApplyOptions(), transport: transport, store: store, relay: relay,
      environment: workspace.environment, openFiles: workspace.openFiles, cache: workspace.cache, isAgents: true,
      pins: entries.pins, onRecord: onRecord, turnstile: turnstile)
    return RecordedRun(
      scope: scope, declaration: declaration, workspace: workspace, store: store, execution: execution, plan: plan,
      relay: relay, collector: collector, cancel: cancel)
  }

  /// Runs to the end, or until `stop` is asked.
  func run(stop: StopRequest) async -> Report {
    async let delivery: Void = relay.run()
    await execution.run(stop: stop)
    relay.finish()
    await delivery
    let report = collector.report
    try? await store.logEnd(LogLine(report, scope: scope))
    return report
  }

  /// Takes in what came since: of the entries that are read to be gone on with, those that the run has nothing to do with so
  /// far. Answers what was decided of them. It waits until the run knows its own files, which are in the record too; of a run
  /// that is over nothing is taken.
  @discardableResult
  func take(
    _ read: () async throws(DLSyncError) -> [BackgroundEntry]
  ) async throws(DLSyncError) -> [FilePlan] {
    await execution.untilUnderWay()
    guard await !execution.isOver else { return [] }
    try await execution.beginLook()
    let fresh = await execution.unknown(among: try await read())
    guard !fresh.isEmpty else { return [] }
    let plan = try await Self.plan(fresh, declaration, of: scope, store, workspace, cancel, relay)
    await execution.join(plan.files, pins: fresh.pins)
    return plan.files
  }

  private static func manifest(_ scope: Scope, _ queue: QueueDeclaration, _ entries: [FileEntry]) -> Manifest {
    Manifest(scope: scope, source: scope.text, root: "/", queues: [queue], files: entries)
  }

  /// A plan in which everything is to be done; the record of the rest says what became of it.
  private static func plan(
    _ entries: [BackgroundEntry], _ queue: QueueDeclaration, of scope: Scope, _ store: Store, _ workspace: Workspace,
    _ cancel: CancelToken?, _ relay: EventRelay
  ) async throws(DLSyncError) -> Plan {
    var refreshing = PlanOptions()
    refreshing.refreshes = true
    let stale = entries.filter(\.isRefresh)
    var plan = try await Self.plan(
      manifest(scope, queue, entries.filter { !$0.isRefresh }.map(\.entry)), PlanOptions(), store, workspace, cancel,
      relay)
    guard !stale.isEmpty else { return plan }
    let refreshed = try await Self.plan(
      manifest(scope, queue, stale.map(\.entry)), refreshing, store, workspace, cancel, relay)
    plan.append(refreshed.files.map { $0.shifted(by: plan.files.count) })
    return plan
  }

  private static func plan(
    _ manifest: Manifest, _ options: PlanOptions, _ store: Store, _ workspace: Workspace, _ cancel: CancelToken?,
    _ relay: EventRelay
  ) async throws(DLSyncError) -> Plan {
    let plan = try await ThreadExecutor.withThread(named: "dlsync-survey") { () throws(DLSyncError) in
      let facts = try await Facts.gather(manifest, store: store, workspace: workspace, isPartial: true)
      let elsewhere = Elsewhere(store: store, cache: workspace.cache)
      return try await facts.plan(manifest, options, elsewhere: elsewhere, cancel: cancel)
    }
    for notice in try await plan.settleKilledPublications(of: Set(manifest.queues.map(\.name)), store) {
      relay.send(.warning(file: nil, notice))
    }
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

extension [BackgroundEntry] {
  /// What lock files say of them.
  fileprivate var pins: [TaskID: LockPin] {
    reduce(into: [:]) { pins, background in pins[background.entry.id] = background.pin }
  }
}
