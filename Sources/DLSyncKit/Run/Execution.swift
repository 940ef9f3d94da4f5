internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// Carries out one plan, once.
///
/// It lives on the transfer thread: scheduling, retries and transfers happen there without a thread switch. Publishing,
/// the record and the observer have threads of their own. A file's failure is that file's outcome and stops nothing else;
/// only a record that cannot be written ends the run.
///
/// The effects, in their order: plan recorded → for each file: part file, bytes, length and digests → `GroupPublisher`.
actor Execution {
  /// What is told of the run's end, as far as it is known.
  struct Ending {
    var signal: Int32?
    var error: DLSyncError?
    /// Whether files were waited for in vain: no agent is at work on them any more.
    var isAbandoned = false
  }

  nonisolated let executor: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  // MARK: What it works with

  let options: ApplyOptions
  let environment: [String: String]
  let transport: any Transport
  let store: Store
  let publisher: GroupPublisher
  let partThreads = PartThreads()
  let relay: EventRelay
  let checkpoints: Checkpoints
  let folders = FolderShelf()
  let lists: ListShelf
  let openFiles: OpenFileBudget
  /// What a file has open at most.
  let mostOpenFiles: Int
  /// Short files that are on their way.
  let heldBytes = HeldBytes()
  /// The queues that this run holds the locks of.
  let ownQueues: Set<QueueName>
  /// Whether the agent runs this, from what was handed over to it.
  let isAgents: Bool
  /// Queues whose files are the agent's to fetch.
  let handOver: HandOver?
  let pruning: Pruning?
  /// What lock files say of the files.
  var pinning: LockPins

  // MARK: The files

  /// Grows when the agent takes in more.
  var plan: Plan
  /// Made when the first command comes.
  var fileByTask: [TaskID: Int] = [:]
  /// Files whose destination another scope claimed after the plan was made.
  var refused: Set<Int> = []
  /// What commands made of files.
  var commanded = CommandedFiles()
  /// Jobs that have begun and not ended, by file.
  var jobs: [Int: FileJob] = [:]
  /// Files that were handed to the publisher and are not back.
  var publishing = 0
  /// Files that are not what the manifest wants, though they were to be.
  var unfinished: Set<Int> = []
  /// What is still to be written of them.
  var journal = Journal()

  // MARK: Whose turn it is

  var schedule: Schedule
  var queues: [QueueName: QueueRun] = [:]
  /// Queues that wait while the network is metered.
  var frugal: FrugalQueues
  /// Files that wait for another file's bytes.
  var dependents = Dependents()
  var copies: LocalCopies
  /// Files that wait for lists of checksums.
  var listWaiters = ListWaiters()
  var space = SpaceLedger()
  /// When the run began, and its payload: both may be limited.
  var begun = MonotonicInstant.now
  let received = Counter()
  /// Rings when there may be a file to begin, or none any more.
  var bell = Doorbell()

  // MARK: What others ask

  /// What commands from other terminals ask.
  var desk = CommandDesk()
  /// What the program itself asks that the run is part of.
  var local = LocalDesk()
  /// Who is told what commands changed of tasks that the run has nothing to do with at the moment.
  let onRecord: (@Sendable ([RecordedChange]) -> Void)?
  /// Whoever changes the record besides the run goes through it, and so does what others ask; nil where there is nobody.
  let turnstile: Gate?
  /// Who looks for more to do does so alone.
  let looking = Gate()
  /// Files that ended while somebody looks for more to do: what he reads of them is out of date. Nil while nobody looks.
  var endedMeanwhile: Set<TaskID>?

  // MARK: The end

  /// Whether nothing can join the run any more.
  var isOver = false
  /// What is to be told of the run's end.
  var ending = Ending()

  init(
    plan: Plan, manifest: Manifest, options: ApplyOptions, transport: any Transport, store: Store, relay: EventRelay,
    environment: [String: String], openFiles: OpenFileBudget, cache: ContentCache? = nil, isAgents: Bool = false,
    handOver: HandOver? = nil, pruning: Pruning? = nil, pins: [TaskID: LockPin] = [:],
    onRecord: (@Sendable ([RecordedChange]) -> Void)? = nil, turnstile: Gate? = nil
  ) {
    self.onRecord = onRecord
    self.turnstile = turnstile
    self.plan = plan
    self.isAgents = isAgents
    self.handOver = handOver
    self.pruning = pruning
    pinning = LockPins(coverage: manifest.lock, pins: pins)
    self.options = options
    self.transport = transport
    lists = ListShelf(transport, netrc: options.planning.netrc)
    copies = LocalCopies(cache: cache)
    executor = transport.executor
    self.store = store
    self.relay = relay
    self.environment = environment
    checkpoints = Checkpoints(environment: environment)
    self.openFiles = openFiles
    mostOpenFiles =
      manifest.queues.map { OpenFileBudget.files(connections: $0.configuration.connectionsPerFile) }.max() ?? 0
    publisher = GroupPublisher(store: store, checkpoints: checkpoints, groupLimit: openFiles.group)
    schedule = Schedule(queues: manifest.queues, limit: options.jobs)
    ownQueues = isAgents ? Set(manifest.queues.map(\.name)) : options.runs(manifest.queues)
    let runLimit = options.rate.map { RateLimit(bytesPerSecond: $0) }
    for queue in manifest.queues {
      queues[queue.name] = QueueRun(queue, environment: environment, runLimit: runLimit)
    }
    frugal = FrugalQueues(
      queues: Set(
        manifest.queues.filter { !$0.configuration.network.allowMetered && !options.planning.isOffline }.map(\.name)))
    schedule.hold(frugal.queues)
  }

  /// Runs to the end, or until `stop` is asked. Everything that happens is told to the relay.
  func run(stop: StopRequest) async {
    begun = .now
    lists.onHold = { [weak self] pause in self?.assumeIsolated { $0.leaveAlone(pause, .now) } }
    relay.send(.planned(plan))
    do throws(DLSyncError) {
      refuse(
        try await store.record(
          plan, handingOver: handOver?.queues ?? [], hook: handOver?.agentsEnd, lock: pinning.coverage, now: .now))
      checkpoints.reach(.planRecorded)
      let handedOver = try await enlist()
      beginLocalCommands()
      await carryOut(stop: stop)
      await endKeeping()
      try await settle()
      try await attended(ownQueues, if: handOver?.waits == true) { () throws(DLSyncError) in
        try await follow(handedOver, stop: stop)
      }
      try await settle()
      endParked()
      try await prune(stop: stop)
    } catch {
      ending.error = error
    }
    publisher.stop()
    isOver = true
    endLocalCommands(ending.error)
    copies.thread.stop()
    partThreads.stop()
    let seconds = MonotonicInstant.now.seconds(since: begun)
    relay.send(
      .finished(
        RunEnd(seconds: seconds, signal: ending.signal, error: ending.error, isAbandoned: ending.isAbandoned)))
  }

  /// Everything that happened here is in the record, and what was asked is answered.
  private func settle() async throws(DLSyncError) {
    try await flushJournal()
    try await settleDesk()
  }

  /// After the last transfer: the locks of these queues are still held, so nobody else obeys commands.
  func attended(
    _ queues: Set<QueueName>, if isLong: Bool = true, _ work: () async throws(DLSyncError) -> Void
  ) async throws(DLSyncError) {
    guard isLong else { return try await work() }
    let desk = RecordDesk(store: store, scope: plan.scope, queues: queues, onRecord: onRecord)
    try await desk.attending(work)
  }

  private func carryOut(stop: StopRequest) async {
    endAtLimit()
    applyPermissions()
    await withDiscardingTaskGroup { group in
      group.addTask(executorPreference: executor) { await self.obey(stop) }
      group.addTask(executorPreference: executor) { await self.reportProgress() }
      group.addTask(executorPreference: executor) { await self.writeJournal() }
      if isAgents || !schedule.isIdle {
        group.addTask(executorPreference: executor) { await self.obeyCommands() }
      }
      if options.hasLimits { group.addTask(executorPreference: executor) { await self.watchLimits() } }
      if !frugal.queues.isEmpty, isAgents || !schedule.isIdle {
        group.addTask(executorPreference: executor) { await self.watchNetwork() }
      }
      group.addTask(executorPreference: publisher.executor) { await self.publisher.run() }
      group.addTask(executorPreference: executor) { await self.takePublished() }
      await withDiscardingTaskGroup { work in
        while let file = await nextFile() {
          work.addTask(executorPreference: executor) { await self.performInTurn(from: file) }
        }
      }
      publisher.finish()
      group.cancelAll()
    }
  }

  /// Files that somebody else claimed since the plan was made are conflicts after all.
  func refuse(_ ids: [TaskID]) {
    guard !ids.isEmpty else { return }
    let ids = Set(ids)
    for (index, file) in plan.files.enumerated() where ids.contains(file.entry.id) {
      refused.insert(index)
      var outcome = FileOutcome(file: index, from: .waiting, state: .failed)
      outcome.error = DLSyncError(
        .destinationConflict, "\"\(file.entry.destination)\" was claimed by another manifest meanwhile",
        hint: "apply one of the two with another destination")
      relay.send(.ended(outcome))
    }
  }
}
