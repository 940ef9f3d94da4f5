internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// One open queue of a `DownloadManager`: an agent in the program itself. It holds the queue's lock, runs what is to be
/// done from the record, takes in what comes meanwhile, and obeys the program and other processes alike.
///
/// What changes the record, or the run's files, goes through the gate, one at a time: a command never overtakes the task
/// that it is about.
actor QueueSession {
  nonisolated let scope: Scope
  nonisolated let name: QueueName
  nonisolated let workspace: Workspace
  nonisolated let hub = UpdateHub()
  nonisolated let gate = Gate()
  nonisolated let store: Store

  /// Given up when the queue is closed: who keeps a task keeps no connections. Who still asks a run has it from there.
  private var transport: (any Transport)?
  private let stop = StopRequest()
  private(set) var declaration: QueueDeclaration
  /// Given up when the queue is closed.
  private var tenure: QueueTenure?
  /// The tasks by the URL that was asked for, without credentials; what was removed may still be here.
  var idsByURL: [BytewiseText: TaskID] = [:]
  /// Requests with what a foreground queue does not record.
  var requests: [TaskID: FileEntry] = [:]
  private(set) var run: RecordedRun?
  private var running: Task<Void, Never>?
  private var isLooking = false
  /// Whether a run is about to begin: it is planned, which may take long, and the gate is free meanwhile.
  private(set) var isStarting = false
  /// How many commands were carried out on the record.
  var recordChanges = 0
  /// What came since the last look.
  private var arrivals: [TaskID] = []
  /// Whether the whole record is to be looked at.
  private var looksAtAll = false
  /// When a run that did not get on may be tried again.
  private var rest: Duration = .seconds(1)

  /// The caller has the tenure. Nothing runs before `begin`.
  init(
    _ declaration: QueueDeclaration, of scope: Scope, _ workspace: Workspace, store: Store, transport: any Transport,
    tenure: QueueTenure
  ) {
    self.declaration = declaration
    self.scope = scope
    name = declaration.name
    self.workspace = workspace
    self.store = store
    self.transport = transport
    self.tenure = tenure
  }

  var isClosed: Bool { tenure == nil }

  func requireOpen() throws(DLSyncError) {
    guard isClosed else { return }
    throw DLSyncError(.interrupted, "the queue \"\(name)\" was closed", hint: "open it again")
  }

  /// Leaves everything resumable and gives up the queue.
  func close() async {
    await gate.enter()
    defer { gate.leave() }
    guard !isClosed else { return }
    stop.stop(signal: 15)
    await running?.value
    (tenure, transport) = (nil, nil)
    hub.close()
    await store.close()
  }

  func setDeclaration(_ declaration: QueueDeclaration) { self.declaration = declaration }
}

// Running.
extension QueueSession {
  /// Sees to it that what waits is run: these tasks, or whatever the record has.
  func look(at tasks: [TaskID]? = nil) {
    if let tasks { arrivals += tasks } else { looksAtAll = true }
    guard !isLooking, !isClosed else { return }
    isLooking = true
    Task { await self.takeUp() }
  }

  private func takeUp() async {
    await gate.enter()
    isLooking = false
    // Who begins looks once more afterwards.
    guard !isStarting else { return gate.leave() }
    let arrivals = looksAtAll ? nil : arrivals
    (self.arrivals, looksAtAll) = ([], false)
    guard !isClosed, stop.signal == nil else { return gate.leave() }
    do throws(DLSyncError) {
      guard let run else {
        defer { gate.leave() }
        return try await start(arrivals)
      }
      // It enters by itself, and leaves while it reads files.
      gate.leave()
      tell(try await run.take { () throws(DLSyncError) in try await self.waiting(among: arrivals) })
    } catch {
      guard !isClosed else { return }
      hub.fail(error)
      lookLater()
    }
  }

  /// What is to be gone on with, of all tasks or of some: a command may have come before this look at them. A queue that is
  /// given one file after another does not ask for all of them each time.
  private func waiting(among some: [TaskID]?) async throws(DLSyncError) -> [BackgroundEntry] {
    var tasks: [RequestedTask] = []
    if let some, some.count <= 64 {
      for id in some {
        guard let task = try await store.requestedTask(id, of: scope, name) else { continue }
        if task.state.isAwake { tasks.append(task) }
      }
      tasks.sort { $0.number < $1.number }
    } else {
      tasks = try await store.requestedTasks(of: scope, name, onlyOpen: true)
    }
    return tasks.map { BackgroundEntry(entry: requests[$0.entry.id] ?? $0.entry, isRefresh: false) }
  }

  private func start(_ arrivals: [TaskID]?) async throws(DLSyncError) {
    guard let transport else { return }
    isStarting = true
    defer {
      isStarting = false
      if !self.arrivals.isEmpty || looksAtAll { look(at: []) }
    }
    let declaration = declaration
    let run = try await RecordedRun.begin(
      declaration, of: scope, workspace, store: store, transport: transport,
      observer: SilentObserver(), tap: { [hub] event in hub.receive(event) },
      onRecord: { [weak self] changes in self?.learn(changes) }, turnstile: gate, cancel: stop.token,
      changes: { self.recordChanges }
    ) { () throws(DLSyncError) in
      try await self.waiting(among: arrivals == nil ? nil : self.hub.awake)
    }
    guard let run else { return }
    self.run = run
    running = Task { self.end(await run.run(stop: self.stop)) }
    if self.declaration != declaration { await run.execution.reconfigure(self.declaration) }
    await run.execution.untilUnderWay()
    tell(run.plan.files)
  }

  /// Files that are decided without a transfer. Of the others the run tells, and may have told much by now.
  private func tell(_ files: [FilePlan]) {
    for file in files where !file.isHeld {
      switch file.action {
      case .conflict: hub.tell(file.entry.id, .failed, error: file.error)
      case .reuse where !file.isCopied: hub.tell(file.entry.id, .completed)
      case .reuse, .download: break
      }
    }
  }

  private func end(_ report: Report) {
    run = nil
    running = nil
    if let error = report.end?.error {
      hub.fail(error)
      lookLater()
    } else {
      rest = .seconds(1)
      // What came too late for this run.
      let late = hub.awake
      if !late.isEmpty { look(at: late) }
    }
  }

  /// What cannot be gone on with is not tried again in a circle.
  private func lookLater() {
    let pause = rest
    rest = min(.seconds(30), rest * 2)
    Task { [weak self] in
      try? await Task.sleep(for: pause)
      await self?.look()
    }
  }

  /// Waits until the present run is over.
  func untilOver() async { await running?.value }

  private nonisolated func learn(_ changes: [RecordedChange]) {
    for change in changes { hub.tell(change.id, change.to) }
    let released = changes.filter { $0.to == .waiting }.map(\.id)
    if !released.isEmpty { Task { await self.look(at: released) } }
  }
}

// Other processes, while nothing runs: a run looks for itself.
extension QueueSession {
  private static let interval = Duration.milliseconds(250)

  func watch() {
    Task { [weak self] in
      var version: Int64?
      while let wait = await self?.obeyOthers(since: version) {
        version = wait.version
        try? await Task.sleep(for: Self.interval)
      }
    }
  }

  /// Nil when the queue is closed.
  private func obeyOthers(since version: Int64?) async -> (version: Int64?, Void)? {
    guard !isClosed else { return nil }
    guard run == nil else { return (nil, ()) }
    await gate.enter()
    defer { gate.leave() }
    guard !isClosed, run == nil else { return (nil, ()) }
    do throws(DLSyncError) {
      guard let batch = try await store.requests(of: scope, [name], since: version, now: .now) else {
        return (version, ())
      }
      let outcomes = try await carryOut(batch.requests.map { ($0.command, $0.task) })
      let answers = zip(batch.requests, outcomes).map { TaskAnswer(number: $0.number, error: $1) }
      try await store.answer(answers, now: .now)
      return (batch.version, ())
    } catch {
      return (nil, ())
    }
  }

  /// Commands on the record, behind the gate, while nothing runs.
  func carryOut(_ commands: [(TaskCommand, TaskID)]) async throws(DLSyncError) -> [DLSyncError?] {
    recordChanges += commands.count
    let outcomes = try await RecordCommands(commands).carryOut(store)
    let changes = outcomes.compactMap(\.change)
    for change in changes { hub.tell(change.id, change.to) }
    let released = changes.filter { $0.to == .waiting }.map(\.id)
    if !released.isEmpty { look(at: released) }
    return outcomes.map(\.error)
  }
}

extension DLSyncError {
  /// Why a task of a foreground queue does not go on by itself.
  static let withheld = DLSyncError(
    .interrupted,
    "the run that asked for the file has ended, and header values and credentials of URLs are not recorded",
    hint: "ask for the file again, or resume it as it is")
}
