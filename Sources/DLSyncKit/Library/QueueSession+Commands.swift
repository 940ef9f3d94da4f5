internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import Glibc

extension QueueSession {
  /// Carries commands out one by one, through the run where there is one. Answers for each why it was refused.
  func command(_ commands: [(TaskCommand, TaskID)]) async throws(DLSyncError) -> [DLSyncError?] {
    guard !commands.isEmpty else { return [] }
    let (acceptances, run) = try await acceptInTurn(commands)
    var errors: [DLSyncError?] = []
    for (command, acceptance) in zip(commands, acceptances) {
      var acceptance = acceptance
      if case .later(let number) = acceptance, let run { acceptance = await run.execution.answer(to: number) }
      switch acceptance {
      case .answered(let error): errors.append(error)
      // The run ended before it came to that.
      case .later: errors += try await self.command([command])
      }
    }
    for ((command, id), error) in zip(commands, errors) where error == nil {
      if case .remove = command { requests[id] = nil }
    }
    return errors
  }

  private func acceptInTurn(
    _ commands: [(TaskCommand, TaskID)]
  ) async throws(DLSyncError) -> ([CommandAcceptance], RecordedRun?) {
    await gate.enter()
    defer { gate.leave() }
    try requireOpen()
    let run = run
    return (try await accept(commands), run)
  }

  /// Behind the gate.
  func accept(_ commands: [(TaskCommand, TaskID)]) async throws(DLSyncError) -> [CommandAcceptance] {
    if let run {
      if let acceptances = await run.execution.obey(commands.map { (command: $0.0, id: $0.1) }) { return acceptances }
      await untilOver()
    }
    return try await carryOut(commands).map { .answered($0) }
  }

  /// A command for every task of the queue that takes it. Answers for each of these why it was refused after all.
  func commandAll(_ command: TaskCommand) async throws(DLSyncError) -> [(id: TaskID, error: DLSyncError?)] {
    let ids = try await tasks().map(\.id)
    let errors = try await self.command(ids.map { (command, $0) })
    // A task whose state does not take the command was not meant.
    return zip(ids, errors).compactMap { id, error in
      error?.code == .usage || error?.code == .taskNotFound ? nil : (id, error)
    }
  }

  func reorder(_ ids: [TaskID]) async throws(DLSyncError) -> [(id: TaskID, error: DLSyncError?)] {
    let all = try await tasks().map(\.id)
    guard ids.count == all.count, Set(ids) == Set(all) else {
      throw DLSyncError(
        .usage,
        "the order of a queue names each of its tasks once: \"\(name)\" has \(all.count), and \(ids.count) were named",
        hint: "take the ids from the queue's tasks")
    }
    let errors = try await command(ids.enumerated().map { (.reorder(rank: $0), $1) })
    return zip(ids, errors).map { (id: $0, error: $1) }
  }
}

// What is known.
extension QueueSession {
  /// The tasks of the queue as recorded, in the order of their coming.
  func tasks() async throws(DLSyncError) -> [TaskSnapshot] {
    try requireOpen()
    try await run?.execution.flushJournal()
    let name = name
    return try await store.taskSnapshots(of: [scope]).filter { $0.queue == name }
  }

  /// A task as recorded, and how far it is right now; nil where nothing is recorded of it.
  func snapshot(_ id: TaskID) async throws(DLSyncError) -> TaskSnapshot? {
    try requireOpen()
    let run = run
    try await run?.execution.flushJournal()
    guard var task = try await store.taskSnapshot(id), task.queue == name, task.scope == scope else { return nil }
    guard task.state == .running else { return task }
    task.bytesPerSecond = task.lastSample?.bytesPerSecond
    guard let sample = await run?.execution.sample(of: id) else { return task }
    task.completedBytes = max(task.completedBytes, sample.completed)
    task.totalBytes = task.totalBytes ?? sample.total
    return task
  }

  /// The queue as recorded.
  func snapshot() async throws(DLSyncError) -> QueueSnapshot {
    try requireOpen()
    try await run?.execution.flushJournal()
    let name = name
    guard var queue = try await store.queueSnapshots(of: [scope]).first(where: { $0.name == name }) else {
      throw DLSyncError(.internal, "the queue \"\(name)\" is open and not recorded")
    }
    queue.runningProcess = QueueLock.holder(
      folder: workspace.locksFolder, name: QueueLock.name(scope: scope, queue: name))
    return queue
  }

  /// Returns when the task is completed, with its path.
  func waitUntilFinished(_ id: TaskID) async throws(DLSyncError) -> String {
    let waiter = hub.waiter(for: id)
    defer { hub.dismiss(waiter) }
    while true {
      guard let task = try await snapshot(id) else { throw .removed(id) }
      switch task.state {
      case .completed:
        guard Glibc.access(task.destination, F_OK) == 0 else { throw .gone(task) }
        return task.destination
      case .failed: throw task.error ?? DLSyncError(.internal, "the task \(id) failed, and nothing tells why")
      case .canceled: throw .canceled(task)
      case .removed: throw .removed(id)
      case .waiting, .running, .retrying, .suspended, .verifying, .publishing: break
      }
      switch await waiter.next() {
      case .ended: continue
      case .failed(let error): throw error
      case .closed: try requireOpen()
      case .cancelled: throw DLSyncError(.interrupted, "nobody waits for the task \(id) any more")
      }
    }
  }
}

extension DLSyncError {
  fileprivate static func removed(_ id: TaskID) -> DLSyncError {
    DLSyncError(.taskNotFound, "the task \(id) was removed, or never was", hint: "ask for the file again")
  }

  fileprivate static func canceled(_ task: TaskSnapshot) -> DLSyncError {
    DLSyncError(
      .canceled, "the task for \"\(Redaction.url(task.url))\" was canceled", hint: "restart it, or remove it")
  }

  fileprivate static func gone(_ task: TaskSnapshot) -> DLSyncError {
    DLSyncError(
      .fileSystem, "\"\(task.destination)\" was published, and is not there any more",
      hint: "remove the task and ask for the file again")
  }
}
