internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

extension Workspace {
  /// Makes the disk agree with the manifest, and reports. Never throws: what stops the run as a whole stands in the
  /// report, and so does every file's own failure.
  ///
  /// The queues are locked before anything is decided, so that two runs never decide on the same facts.
  @concurrent public func apply(
    _ manifest: Manifest, _ options: ApplyOptions, stop: StopRequest, observer: any RunObserver
  ) async -> Report {
    await apply(manifest, options, expecting: nil, stop: stop, observer: observer)
  }

  /// The same; where another plan was expected than the one that is made under the lock, nothing is done.
  @concurrent func apply(
    _ manifest: Manifest, _ options: ApplyOptions, expecting expected: Plan?, stop: StopRequest,
    observer: any RunObserver
  ) async -> Report {
    var options = options
    options.planning = options.planning.narrowed(to: manifest)
    let begun = Timestamp.now
    let collector = ReportCollector(observer)
    let relay = EventRelay(collector)
    async let delivery: Void = relay.run()
    var opened: Store?
    let loading = !options.planning.isOffline && manifest.lacksItsFirst ? CurlTransport.loadAhead() : nil
    do throws(DLSyncError) {
      opened = try await Store.open(folder: stateFolder, access: .write)
      if let store = opened {
        let locks = try await QueueLocks.take(manifest, options, workspace: self, stop: stop) { reason in
          relay.send(.warning(file: nil, "this command waits: \(reason.message)"))
        }
        defer { locks.release() }
        try await carryOut(manifest, options, expecting: expected, store: store, stop: stop, relay: relay)
      }
    } catch {
      relay.send(.finished(RunEnd(seconds: 0, signal: stop.signal, error: error)))
    }
    relay.finish()
    await delivery
    let report = collector.report
    // A log that cannot be written changes nothing of what was done.
    try? await opened?.logEnd(LogLine(report, scope: manifest.scope), begun: report.isWorthTelling ? begun : nil)
    await opened?.close()
    await loading?.value
    return report
  }

  private func carryOut(
    _ manifest: Manifest, _ options: ApplyOptions, expecting expected: Plan?, store: Store, stop: StopRequest,
    relay: EventRelay
  ) async throws(DLSyncError) {
    let manifest = LocalLists.resolve(manifest, cancel: stop.token)
    let handOver = try agentsPart(of: manifest, options)
    let desk = RecordDesk(store: store, scope: manifest.scope, queues: options.runs(manifest.queues))
    let (facts, whole) = try await decide(manifest, options, store: store, desk: desk, stop: stop)
    if let expected { try whole.requireEqual(expected) }
    let planned = options.repairing.map { whole.repairing($0) } ?? whole
    let recovery = try await planned.settleKilledPublications(
      of: options.runs(manifest.queues), agents: handOver?.queues ?? [], locksFolder: locksFolder, store)
    for notice in recovery.notices { relay.send(.warning(file: nil, notice)) }
    let plan = planned.refusing(recovery.refusals)
    let transport: any Transport =
      if options.planning.isOffline { OfflineTransport() } else {
        plan.needsNetwork(without: handOver?.queues) ? CurlTransport() : IdleTransport()
      }
    let execution = Execution(
      plan: plan, manifest: manifest, options: options, transport: transport, store: store, relay: relay,
      environment: environment, openFiles: openFiles, cache: cache, handOver: handOver,
      pruning: options.prunes ? Pruning(plan, manifest, facts, options, locksFolder: locksFolder) : nil)
    await execution.run(stop: stop)
    transport.stop()
  }

  /// The plan, from the record as it is: what commands change of it while files are read is looked at again.
  private func decide(
    _ manifest: Manifest, _ options: ApplyOptions, store: Store, desk: RecordDesk, stop: StopRequest
  ) async throws(DLSyncError) -> (Facts, Plan) {
    var readings = Readings()
    while true {
      let changes = await desk.changes
      let facts = try await Facts.gather(manifest, store: store, workspace: self)
      try manifest.checkLock(options.planning)
      let plan = try await facts.plan(
        manifest, options.planning, elsewhere: Elsewhere(store: store, cache: cache), cancel: stop.token, desk: desk,
        readings: &readings)
      if stop.signal != nil {
        throw DLSyncError(
          .interrupted, "the run was stopped before anything was decided; nothing was done",
          hint: "apply again to go on")
      }
      if await desk.changes == changes { return (facts, plan) }
    }
  }

  /// What becomes of the files of background queues; nil where there are none, or the command runs them itself.
  private func agentsPart(of manifest: Manifest, _ options: ApplyOptions) throws(DLSyncError)
    -> HandOver?
  {
    let queues = options.handsOver(manifest.queues)
    guard !queues.isEmpty else { return nil }
    if options.planning.netrc != nil, let queue = queues.map(\.text).min() {
      // The agent works from what is recorded, and passwords are not.
      throw DLSyncError(
        .usage,
        "the agent, which fetches the queue \"\(queue)\", does not read netrc; nothing was done",
        hint:
          "fetch it in the command with --foreground, or give its entries an Authorization header")
    }
    return HandOver(
      queues: queues, waits: options.waits, end: QueueHook(command: options.onComplete, notify: manifest.notify),
      workspace: self)
  }
}

extension Manifest {
  /// Whether the first file is not there: then it is to be fetched, most likely, and that is known before anything else.
  fileprivate var lacksItsFirst: Bool {
    guard let path = files.first?.destination.path else { return false }
    return Surveyor().survey(recorded: [path])[BytewiseText(path)] == .absent
  }
}

extension Plan {
  /// Whether anything may have to be fetched; where nothing has, libcurl is not even initialised.
  fileprivate func needsNetwork(without handedOver: Set<QueueName>?) -> Bool {
    files.contains { file in
      !file.isHeld && (file.action == .download || file.isCopied) && handedOver?.contains(file.entry.queue) != true
    }
  }
}

/// The transport of a run that fetches nothing.
private struct IdleTransport: Transport {
  let executor = ThreadExecutor(name: "dlsync-idle")

  func fetch(_ request: TransferRequest) async -> TransferOutcome {
    let error = DLSyncError(.internal, "a file was to be fetched in a run that fetches nothing")
    return TransferOutcome(end: .failed(error), response: nil, received: 0)
  }

  func stop() { executor.stop() }
}

/// Folds every event into the report before the observer sees it.
final class ReportCollector: RunObserver {
  private let folded = Locked(Report())
  private let observer: any RunObserver

  init(_ observer: any RunObserver) { self.observer = observer }

  var report: Report { folded.withLock { $0 } }

  func receive(_ events: [Event]) {
    folded.withLock { report in
      for event in events { report.apply(event) }
    }
    observer.receive(events)
  }
}

extension Report {
  /// Whether the log is to tell of the run: not where it found everything in place, and not where the state cannot be
  /// used or is locked: who waited for it does not wait again.
  fileprivate var isWorthTelling: Bool {
    if let code = end?.error?.code { return code.exitStatus != 4 }
    if exitStatus != 0 || summary.handedOver > 0 { return true }
    return plan?.files.contains { $0.action == .reuse && $0.isSettling } == true
  }
}

extension LogLine {
  /// How a run ended.
  init(_ report: Report, scope: Scope) {
    self.init(at: .now, kind: .runFinished, scope: scope)
    let summary = report.summary
    bytes = summary.fetchedBytes
    error = report.end?.error
    exitStatus = report.exitStatus
    facts = [
      ("total", summary.total), ("downloaded", summary.downloaded), ("reused", summary.reused),
      ("conflicts", summary.conflicts), ("failed", summary.failed), ("held", summary.held),
      ("handedOver", summary.handedOver), ("pruned", summary.pruned),
    ].map { (key: $0.0, value: "\($0.1)") }
    facts.append((key: "seconds", value: "\(summary.seconds)"))
  }
}
