internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// Plans of one queue from the record alone, in which everything is to be done; the record of the rest says what became of
/// it. The caller holds the queue's lock.
struct RecordPlanning: Sendable {
  let declaration: QueueDeclaration
  let scope: Scope
  let store: Store
  let workspace: Workspace
  /// Is told what is odd about what killed processes left.
  let relay: EventRelay
  /// Ends the reading of files that are there already.
  let cancel: CancelToken?

  /// Decides what is to be done of the entries that are read, and records what needs no run. Where commands were carried
  /// out on the record while files were read, that is done again.
  ///
  /// Commands are obeyed by `desk` meanwhile, or by whoever the `turnstile` lets through: the caller has entered it, it is
  /// free while files are read, and entered again when this returns or throws. `changes` counts what was carried out.
  func plan(
    desk: RecordDesk? = nil, turnstile: Gate? = nil, changes: () async -> Int,
    _ read: () async throws(DLSyncError) -> [BackgroundEntry]
  ) async throws(DLSyncError) -> (entries: [BackgroundEntry], plan: Plan) {
    var readings = Readings()
    while true {
      let before = await changes()
      let entries = try await read()
      guard !entries.isEmpty else { return ([], plan(of: [])) }
      turnstile?.leave()
      let decision = await decide(entries, desk, readings)
      await turnstile?.enter()
      // Whoever closed the queue meanwhile has given its lock back.
      if turnstile != nil, cancel?.isCancelled == true {
        throw DLSyncError(.interrupted, "the queue \"\(declaration.name)\" was closed while its files were read")
      }
      let plan: Plan
      (plan, readings) = try decision.get()
      guard await changes() == before else { continue }
      try await settle(plan)
      return (entries, plan)
    }
  }

  func manifest(_ entries: [FileEntry]) -> Manifest {
    Manifest(scope: scope, source: scope.text, root: "/", queues: [declaration], files: entries)
  }

  private func plan(of files: [FilePlan]) -> Plan {
    Plan(scope: scope, source: scope.text, queues: [], files: files, orphans: [])
  }

  private func decide(
    _ entries: [BackgroundEntry], _ desk: RecordDesk?, _ readings: Readings
  ) async -> Result<(Plan, Readings), DLSyncError> {
    var readings = readings
    var refreshing = PlanOptions()
    refreshing.refreshes = true
    let stale = entries.filter(\.isRefresh)
    do throws(DLSyncError) {
      var plan = try await decide(entries.filter { !$0.isRefresh }, PlanOptions(), desk, &readings)
      guard !stale.isEmpty else { return .success((plan, readings)) }
      let refreshed = try await decide(stale, refreshing, desk, &readings)
      plan.append(refreshed.files.map { $0.shifted(by: plan.files.count) })
      return .success((plan, readings))
    } catch {
      return .failure(error)
    }
  }

  private func decide(
    _ entries: [BackgroundEntry], _ options: PlanOptions, _ desk: RecordDesk?, _ readings: inout Readings
  ) async throws(DLSyncError) -> Plan {
    let manifest = manifest(entries.map(\.entry))
    let known = readings
    let plan: Plan
    (plan, readings) = try await ThreadExecutor.withThread(named: "dlsync-survey") { () throws(DLSyncError) in
      var readings = known
      let facts = try await Facts.gather(manifest, store: store, workspace: workspace, isPartial: true)
      let elsewhere = Elsewhere(store: store, cache: workspace.cache)
      let plan = try await facts.plan(
        manifest, options, elsewhere: elsewhere, cancel: cancel, desk: desk, readings: &readings)
      return (plan, readings)
    }
    return plan
  }

  /// What is decided without a run.
  private func settle(_ plan: Plan) async throws(DLSyncError) {
    let recovery = try await plan.settleKilledPublications(of: [declaration.name], store)
    for notice in recovery.notices { relay.send(.warning(file: nil, notice)) }
    // Being failed would forget what is to be settled.
    if let refusal = recovery.refusals.values.first { throw refusal }
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
  }
}
