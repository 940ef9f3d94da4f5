internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What a run does with the files of background queues: they are the agent's.
struct HandOver: Sendable {
  let queues: Set<QueueName>
  /// Whether the run waits for their end, and takes the result as its own.
  let waits: Bool
  /// What is done when all of it has ended: by the agent, or by whoever waits for that.
  let end: QueueHook
  let workspace: Workspace

  /// What the agent does then.
  var agentsEnd: QueueHook { waits ? QueueHook() : end }
}

extension Execution {
  func isHandedOver(_ file: Int) -> Bool {
    guard let handOver, handOver.queues.contains(plan.files[file].entry.queue) else { return false }
    return plan.files[file].action == .download || plan.files[file].isCopied
  }

  /// The record of these files is written: the agent may begin. Where nobody waits for them, they are at their end here.
  func tell(_ files: [Int]) async throws(DLSyncError) {
    guard let handOver, !files.isEmpty else { return }
    try handOver.workspace.startAgentForWork()
    if !handOver.waits { endHandedOver(files) }
  }

  private func endHandedOver(_ files: some Sequence<Int>) {
    for file in files {
      var outcome = FileOutcome(file: file, from: .waiting, state: .waiting)
      outcome.isHandedOver = true
      relay.send(.ended(outcome))
    }
  }

  /// Waits for what was handed over, where that is wanted: until it has ended, or a signal comes, or no agent is at work on
  /// it any more. One that was killed is followed by another.
  /// The limits of the run are those of the waiting too.
  func follow(_ files: [Int], stop: StopRequest) async throws(DLSyncError) {
    guard let handOver, handOver.waits, !files.isEmpty else { return }
    var open: [TaskID: Int] = [:]
    for file in files { open[plan.files[file].entry.id] = file }
    var watch = RecordWatch(stateFolder: handOver.workspace.stateFolder)
    var lastServed = MonotonicInstant.now
    while !open.isEmpty, stop.signal == nil, !endAtLimit(),
      handOver.workspace.agentIsAtWork(&lastServed)
    {
      let now = MonotonicInstant.now
      if watch.isDue(now) {
        await handOver.workspace.wakeAgent(store)
        tell(try await store.taskSnapshots(of: [plan.scope]), &open)
        watch.hasLooked(since: now, .now)
      }
      await executor.sleep(until: MonotonicInstant.now.advanced(by: 200_000_000))
    }
    if !open.isEmpty { tell(try await store.taskSnapshots(of: [plan.scope]), &open) }
    // Whoever waits no longer leaves that to the agent.
    let left = Set(open.values.map { plan.files[$0].entry.queue })
    if !left.isEmpty, handOver.end != QueueHook() { try await store.setHook(handOver.end, of: plan.scope, left) }
    endHandedOver(open.values.sorted())
    if let signal = stop.signal { note(signal) } else { ending.isAbandoned = !open.isEmpty && !schedule.isClosed }
  }

  /// What became of files that are not at their end, and takes those away that are.
  private func tell(_ tasks: [TaskSnapshot], _ open: inout [TaskID: Int]) {
    var recorded: Set<TaskID> = []
    for task in tasks {
      guard let file = open[task.id] else { continue }
      recorded.insert(task.id)
      if task.state.isOnItsWay || task.isRefreshing {
        if let sample = task.lastSample { relay.send(.progress(file: file, sample)) }
      } else {
        open[task.id] = nil
        let outcome = FileOutcome(task, file: file)
        relay.send(.ended(outcome))
        if options.failFast, outcome.state == .failed { close() }
      }
    }
    for (id, file) in open where !recorded.contains(id) {
      open[id] = nil
      relay.send(.ended(FileOutcome(file: file, from: .waiting, state: .removed)))
    }
  }
}

extension Execution {
  /// What whoever waits for the agent's work, and the end of the queue, are to be told of a file. It is recorded no later
  /// than the end itself.
  func noteLeaving(_ job: FileJob, _ state: TaskState, _ error: DLSyncError? = nil) {
    guard isAgents else { return }
    let id = job.entry.id
    journal.add(.left(id, state, fetched: ByteCount(job.fetchedBytes), error: error), for: id)
  }
}

extension FileOutcome {
  /// How the agent left a file. A command may have changed the task since.
  init(_ task: TaskSnapshot, file: Int) {
    // A refresh that failed leaves the task as it was before.
    let wasRefresh = task.state == .completed && task.handed?.state == .failed
    self.init(file: file, from: .waiting, state: wasRefresh ? .failed : task.state)
    isAgents = true
    attempts = task.attempts
    bytes = task.state == .completed ? task.completedBytes : task.totalBytes
    fetchedBytes = task.handed?.fetched ?? (task.state == .completed ? task.completedBytes : .zero)
    fingerprint = task.fingerprint
    finalURL = task.finalURL
    statusCode = task.statusCode
    error = wasRefresh ? task.handed?.error : task.error
    if let started = task.startedAt, let finished = task.finishedAt { seconds = finished.seconds - started.seconds }
  }
}
