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
  nonisolated let executor: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Grows when the agent takes in more.
  var plan: Plan
  let transport: any Transport
  let store: Store
  let publisher: GroupPublisher
  let relay: EventRelay
  let checkpoints: Checkpoints
  let environment: [String: String]
  let options: ApplyOptions

  var schedule: Schedule
  var journal = Journal()
  var queues: [QueueName: QueueRun] = [:]
  /// Jobs that have begun and not ended, by file.
  var jobs: [Int: FileJob] = [:]
  /// Files that wait for another file's bytes, by that file.
  var dependents: [Int: [Int]] = [:]
  /// What whoever copies from a file must find there, by that file.
  var identities: [Int: FileIdentity] = [:]
  let copier: CopyThread
  let cache: ContentCache?
  /// Digests of files that go into the cache and cannot be found there yet.
  var unsealed: Set<Digest> = []
  let folders = FolderShelf()
  let lists: ListShelf
  /// What running files will take on whatever file system.
  var promisedBytes: Int64 = 0
  var room: KnownRoom?
  /// What commands from other terminals ask.
  var desk = CommandDesk()
  let settling = Gate()
  /// What the program itself asks that the run is part of.
  var local = LocalDesk()
  /// Who is told what commands changed of tasks that the run has nothing to do with at the moment.
  let onRecord: (@Sendable ([RecordedChange]) -> Void)?
  /// Whoever changes the record besides the run goes through it, and so does what others ask; nil where there is nobody.
  let turnstile: Gate?
  /// Files that ended while somebody looks for more to do: what he reads of them is out of date. Nil while nobody looks.
  var endedMeanwhile: Set<TaskID>?
  /// Files that a command took out of the run, or that the plan held back.
  var parked: [Int: ParkedFile] = [:]
  /// Files whose entry a command changed.
  var revised: [Int: FilePlan] = [:]
  /// What travelled for a file before a command took it out.
  var fetchedBefore: [Int: ByteCount] = [:]
  /// Made when the first command comes.
  var fileByTask: [TaskID: Int] = [:]
  /// The queues that this run holds the locks of.
  let ownQueues: Set<QueueName>
  /// Whether the agent runs this, from what was handed over to it.
  let isAgents: Bool
  /// Queues whose files are the agent's to fetch.
  let handOver: HandOver?
  /// Payload of the whole run.
  let received = Counter()
  /// Files that left the run with chunks that are worth going on from when they come back.
  var reopening: Set<Int> = []
  /// Made when the first file needs it: most runs have none that is long enough.
  private(set) lazy var confirmer = {
    hasConfirmer = true
    return ConfirmThread()
  }()
  private var hasConfirmer = false
  /// Queues that wait while the network is metered.
  let frugalQueues: Set<QueueName>
  /// Whether it is known to be.
  var isNetworkMetered = false
  /// Files that were handed to the publisher and are not back.
  private var publishing = 0
  /// Files whose destination another scope claimed after the plan was made.
  var refused: Set<Int> = []
  /// Files that are not what the manifest wants, though they were to be.
  private var unfinished: Set<Int> = []
  private let pruning: Pruning?
  /// Whether nothing can join the run any more.
  private(set) var isOver = false
  private var sleeper: CheckedContinuation<Void, Never>?
  private var stopSignal: Int32?
  private var runError: DLSyncError?

  init(
    plan: Plan, manifest: Manifest, options: ApplyOptions, transport: any Transport, store: Store, relay: EventRelay,
    environment: [String: String], cache: ContentCache? = nil, isAgents: Bool = false, handOver: HandOver? = nil,
    pruning: Pruning? = nil, onRecord: (@Sendable ([RecordedChange]) -> Void)? = nil,
    turnstile: Gate? = nil
  ) {
    self.onRecord = onRecord
    self.turnstile = turnstile
    self.plan = plan
    self.isAgents = isAgents
    self.handOver = handOver
    self.pruning = pruning
    self.options = options
    self.transport = transport
    lists = ListShelf(transport, netrc: options.planning.netrc)
    self.cache = cache
    copier = CopyThread(cache: cache)
    executor = transport.executor
    self.store = store
    self.relay = relay
    self.environment = environment
    checkpoints = Checkpoints(environment: environment)
    publisher = GroupPublisher(store: store, checkpoints: checkpoints)
    schedule = Schedule(queues: manifest.queues, limit: options.jobs)
    ownQueues = isAgents ? Set(manifest.queues.map(\.name)) : options.runs(manifest.queues)
    let runLimit = options.rate.map { RateLimit(bytesPerSecond: $0) }
    for queue in manifest.queues {
      queues[queue.name] = QueueRun(queue, environment: environment, runLimit: runLimit)
    }
    frugalQueues = Set(
      manifest.queues.filter { !$0.configuration.network.allowMetered && !options.planning.isOffline }.map(\.name))
    schedule.hold(frugalQueues)
  }

  /// Runs to the end, or until `stop` is asked. Everything that happens is told to the relay.
  func run(stop: StopRequest) async {
    let begun = MonotonicInstant.now
    relay.send(.planned(plan))
    do throws(DLSyncError) {
      refuse(try await store.record(plan, handingOver: handOver?.queues ?? [], hook: handOver?.end, now: .now))
      checkpoints.reach(.planRecorded)
      let handedOver = try await enlist()
      beginLocalCommands()
      await carryOut(stop: stop)
      await endKeeping()
      try await follow(handedOver, stop: stop)
      try await flushJournal()
      try await settleDesk()
      endParked()
      try await prune()
    } catch {
      runError = error
    }
    publisher.stop()
    isOver = true
    endLocalCommands(runError)
    copier.stop()
    if hasConfirmer { confirmer.stop() }
    let seconds = MonotonicInstant.now.seconds(since: begun)
    relay.send(.finished(RunEnd(seconds: seconds, signal: stopSignal, error: runError)))
  }

  private func carryOut(stop: StopRequest) async {
    applyPermissions()
    await withDiscardingTaskGroup { group in
      group.addTask(executorPreference: executor) { await self.obey(stop) }
      group.addTask(executorPreference: executor) { await self.reportProgress() }
      group.addTask(executorPreference: executor) { await self.writeJournal() }
      if isAgents || !schedule.isIdle {
        group.addTask(executorPreference: executor) { await self.obeyCommands() }
      }
      if options.hasLimits { group.addTask(executorPreference: executor) { await self.watchLimits() } }
      if !frugalQueues.isEmpty, isAgents || !schedule.isIdle {
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

  /// Everything that needs bytes goes into the schedule; copies wait for the file that they are copied from.
  ///
  /// Answers the files that the agent is to fetch; it knows of them when this returns.
  private func enlist() async throws(DLSyncError) -> [Int] {
    park()
    var handedOver: [Int] = []
    var ready: [(file: Int, entry: FileEntry)] = []
    for (index, file) in plan.files.enumerated() where !file.isHeld && !refused.contains(index) {
      if isHandedOver(index) {
        handedOver.append(index)
        continue
      }
      if isReady(index, file) { ready.append((index, file.entry)) }
    }
    try await tell(handedOver)
    guard !ready.isEmpty else { return handedOver }
    for (id, standing) in try await store.standings(of: plan.scope) {
      guard let file = index(of: id) else { continue }
      schedule.stand(file, priority: standing.priority, rank: standing.rank)
    }
    schedule.add(ready)
    try await store.logBeginning(of: plan.scope, now: .now)
    return handedOver
  }

  // MARK: The next file

  /// How many verified files may be on their way through the publisher: a group in place that is not yet recorded, one
  /// that is being published, and one that waits. The last two hold a descriptor for each file.
  private static let publishingLimit = 768

  /// The next file to begin, when there is a slot for it; nil when nothing is left.
  private func nextFile() async -> Int? {
    while true {
      if publishing >= Self.publishingLimit {
        await sleepUntilSomethingEnds()
        continue
      }
      switch schedule.next(.now) {
      case .start(let file):
        seated(file)
        return file
      case .finished where dependents.isEmpty && publishing == 0:
        isOver = true
        return nil
      case .finished, .waitForEnd: await sleepUntilSomethingEnds()
      case .waitUntil(let moment): await sleep(until: moment)
      }
    }
  }

  /// The file that takes the slot which just became free, if there is one.
  private func followingFile() -> Int? {
    guard publishing < Self.publishingLimit, case .start(let file) = schedule.next(.now) else { return nil }
    seated(file)
    return file
  }

  /// Takes one file after another as far as each gets; a task for each slot costs less than one for each file.
  private func performInTurn(from first: Int) async {
    var next: Int? = first
    while let file = next {
      await perform(file)
      next = followingFile()
    }
    wakeUp()
  }

  private func sleepUntilSomethingEnds() async {
    await withCheckedContinuation { sleeper = $0 }
  }

  private func sleep(until moment: MonotonicInstant) async {
    let timer = Task {
      await executor.sleep(until: moment)
      wakeUp()
    }
    await sleepUntilSomethingEnds()
    timer.cancel()
  }

  /// Lets `nextFile` look again.
  func wakeUp() {
    sleeper?.resume()
    sleeper = nil
  }

  // MARK: Ends

  /// A file is at its end: it is told, recorded, and what waits for it goes on.
  func end(_ job: FileJob, _ outcome: FileOutcome) {
    jobs[job.file] = nil
    endedMeanwhile?.insert(job.entry.id)
    if outcome.state != .completed { unfinished.insert(job.file) }
    releaseSpace(of: job)
    relay.send(.ended(outcome))
    switch outcome.state {
    case .completed: break
    case .failed:
      noteLeaving(job, .failed, outcome.error)
      if !putBack(job) { journal.add(.state(job.entry.id, .failed, error: outcome.error), for: job.entry.id) }
      if options.failFast { close() }
    // The agent's next run asks once more.
    case .waiting where !isAgents && putBack(job): break
    default: journal.add(.state(job.entry.id, outcome.state, error: nil), for: job.entry.id)
    }
    releaseDependents(of: job.file)
    wakeUp()
  }

  /// A refresh that brought nothing leaves the record as it was: the file that is there is still finished, and still due.
  private func putBack(_ job: FileJob) -> Bool {
    guard let file = job.refreshed, job.fetchedBytes == 0 else { return false }
    journal.add(.settled(job.entry.id, file), for: job.entry.id)
    return true
  }

  /// Whoever waited for the file may begin: to copy it, or, where it did not come, to fetch the bytes for itself.
  func releaseDependents(of file: Int) {
    guard let waiting = dependents.removeValue(forKey: file), !schedule.isClosed else { return }
    schedule.add(waiting.map { ($0, plan.files[$0].entry) })
  }

  // MARK: Publishing

  /// Hands a file over for its last steps, which hold no slot.
  func hand(_ item: GroupPublisher.Item) {
    publishing += 1
    publisher.publish(item, isAwaited: !schedule.isBusy)
  }

  /// Takes files back from the publisher, group by group.
  private func takePublished() async {
    while let outcomes = await publisher.outcomes.receive() {
      for outcome in outcomes {
        if let job = jobs[outcome.file] { await endPublishing(job, outcome.result) }
        publishing -= 1
      }
      wakeUp()
      // A run that may go on for days shares what it has.
      if isAgents, !unsealed.isEmpty { await endKeeping() }
    }
  }

  // MARK: Stopping

  private func obey(_ stop: StopRequest) async {
    guard let signal = await stop.wait() else { return }
    stopSignal = signal
    close()
  }

  /// A signal that came when nothing ran any more.
  func note(_ signal: Int32) { stopSignal = stopSignal ?? signal }

  /// Nothing new begins; what runs is left for the next run.
  func close() {
    schedule.close()
    dependents.removeAll()
    lists.close()
    copier.cancel.cancel()
    for job in jobs.values where job.holdsSlot && job.state != .verifying { job.cancel.cancel() }
    for job in jobs.values where job.state == .retrying && !job.holdsSlot {
      leavePart(job)
      end(job, job.outcome(.waiting, now: .now))
    }
    wakeUp()
  }

  /// The record cannot be written: the run is over, whatever else would have worked.
  func fail(_ error: DLSyncError) {
    guard runError == nil else { return }
    runError = error
    close()
  }

  /// What the manifest no longer names goes when all else is done, and stays when the run was stopped.
  private func prune() async throws(DLSyncError) {
    guard let pruning, !schedule.isClosed, runError == nil else { return }
    let sources = unfinished.compactMap { plan.files[$0].copyFrom?.path }
    try await pruning.run(keeping: Set(sources), store: store, relay: relay)
  }
}
