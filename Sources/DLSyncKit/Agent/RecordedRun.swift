internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// One run of one queue from the record alone: what the agent does with what was handed to it, and a `DownloadManager`
/// with what a program asked for. It takes in more while it goes on. The caller holds the queue's lock.
struct RecordedRun: Sendable {
  let scope: Scope
  let store: Store
  let execution: Execution
  /// What was decided when it began.
  let plan: Plan
  private let planning: RecordPlanning
  private let turnstile: Gate?
  private let relay: EventRelay
  private let collector: ReportCollector

  private init(
    scope: Scope, store: Store, execution: Execution, plan: Plan, planning: RecordPlanning, turnstile: Gate?,
    relay: EventRelay, collector: ReportCollector
  ) {
    self.scope = scope
    self.store = store
    self.execution = execution
    self.plan = plan
    self.planning = planning
    self.turnstile = turnstile
    self.relay = relay
    self.collector = collector
  }

  /// Plans what is to be done of the entries that are read of the record; nil where there are none. Commands are obeyed
  /// meanwhile: here, or, where `changes` counts them, by a caller who has entered the turnstile.
  static func begin(
    _ declaration: QueueDeclaration, of scope: Scope, _ workspace: Workspace, store: Store,
    transport: any Transport, observer: any RunObserver, tap: (@Sendable (Event) -> Void)? = nil,
    onRecord: (@Sendable ([RecordedChange]) -> Void)? = nil, turnstile: Gate? = nil, cancel: CancelToken? = nil,
    changes: (() async -> Int)? = nil, _ read: () async throws(DLSyncError) -> [BackgroundEntry]
  ) async throws(DLSyncError) -> RecordedRun? {
    let collector = ReportCollector(observer)
    let relay = EventRelay(collector, tap: tap)
    let desk = RecordDesk(store: store, scope: scope, queues: [declaration.name], onRecord: onRecord)
    let planning = RecordPlanning(
      declaration: declaration, scope: scope, store: store, workspace: workspace, relay: relay, cancel: cancel)
    let (entries, plan) =
      if let changes { try await planning.plan(turnstile: turnstile, changes: changes, read) } else {
        try await planning.plan(desk: desk, changes: { await desk.changes }, read)
      }
    guard !entries.isEmpty else { return nil }
    let execution = Execution(
      plan: plan, manifest: planning.manifest(entries.map(\.entry)), options: ApplyOptions(), transport: transport,
      store: store, relay: relay, environment: workspace.environment, openFiles: workspace.openFiles,
      cache: workspace.cache, isAgents: true, pins: entries.pins, onRecord: onRecord, turnstile: turnstile)
    return RecordedRun(
      scope: scope, store: store, execution: execution, plan: plan, planning: planning, turnstile: turnstile,
      relay: relay, collector: collector)
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
  ///
  /// Who looks and what others ask take turns, but not while files are read.
  @discardableResult
  func take(
    _ read: () async throws(DLSyncError) -> [BackgroundEntry]
  ) async throws(DLSyncError) -> [FilePlan] {
    await execution.untilUnderWay()
    await execution.looking.enter()
    defer { execution.looking.leave() }
    await turnstile?.enter()
    defer { turnstile?.leave() }
    do throws(DLSyncError) {
      let (entries, plan) = try await planning.plan(
        turnstile: turnstile, changes: { await execution.desk.recordChanges }
      ) { () throws(DLSyncError) in
        guard await !execution.isOver else { return [] }
        try await execution.beginLook()
        return await execution.unknown(among: try await read())
      }
      guard !entries.isEmpty else { return [] }
      await execution.join(plan.files, pins: entries.pins)
      return plan.files
    } catch {
      if await execution.isOver { return [] }
      throw error
    }
  }
}

extension [BackgroundEntry] {
  /// What lock files say of them.
  fileprivate var pins: [TaskID: LockPin] {
    reduce(into: [:]) { pins, background in pins[background.entry.id] = background.pin }
  }
}
