internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What became of a command for one task, or for a name that no task answers to.
public struct CommandResult: Sendable {
  /// The task's identity; nil for a name without a task.
  public let id: TaskID?
  /// What the person wrote, or the task's destination.
  public let name: String
  /// Why it was refused; nil when it was done.
  public let error: DLSyncError?
}

extension Workspace {
  /// Gives a command to tasks, one by one: through the process that runs the task's queue, else on the record.
  ///
  /// A task that was not named by itself and whose state does not take the command is passed over: "all" means all that
  /// can. Names without a task are results, too.
  public func command(
    _ command: TaskCommand, to selection: TaskSelection
  ) async throws(DLSyncError) -> [CommandResult] {
    let match = selection.match(try await status(of: []).tasks)
    let results = match.unknown.map { CommandResult(id: nil, name: $0, error: .taskNotFound($0)) }
    let orders = match.tasks.map { task in
      CommandOrder(task: task, command: command, isNamed: match.named.contains(task.id))
    }
    return results + (try await carryOut(orders))
  }

  /// Puts the tasks of one queue in the order in which the selection names them: all of them, each once.
  public func reorder(_ selection: TaskSelection) async throws(DLSyncError) -> [CommandResult] {
    let all = try await status(of: []).tasks
    var order: [TaskSnapshot] = []
    for (name, tasks) in selection.tasksByName(all) {
      guard !tasks.isEmpty else { throw .taskNotFound(name) }
      order += tasks
    }
    guard let first = order.first else { throw DLSyncError(.usage, "\"reorder\" needs the tasks of a queue") }
    let queue = all.filter { $0.scope == first.scope && $0.queue == first.queue }
    guard order.count == queue.count, Set(order.map(\.id)) == Set(queue.map(\.id)) else {
      throw DLSyncError(
        .usage,
        "\"reorder\" takes every task of one queue, each once: the queue \"\(first.queue)\" has \(queue.count), "
          + "and \(order.count) were named",
        hint: "\"dlsync status\" lists the tasks")
    }
    let orders = order.enumerated().map { rank, task in
      CommandOrder(task: task, command: .reorder(rank: rank), isNamed: true)
    }
    return try await carryOut(orders)
  }

  private func carryOut(_ orders: [CommandOrder]) async throws(DLSyncError) -> [CommandResult] {
    guard !orders.isEmpty, let store = try await Store.open(folder: stateFolder, access: .write) else { return [] }
    let results = try await CommandDispatch.byLocks(in: locksFolder, store).carryOut(orders)
    await wakeAgent(store)
    await store.close()
    return results
  }
}

/// A command for one task.
struct CommandOrder: Sendable {
  let task: TaskSnapshot
  let command: TaskCommand
  let isNamed: Bool
}

/// Brings commands to where they can be carried out.
///
/// Nothing is locked for that: a run that begins while a command is on its way must not find its queue taken. So a command
/// that changed the record looks again whether somebody runs the queue by now, and then tells that process as well.
struct CommandDispatch: Sendable {
  let store: Store
  /// Whether a process runs the queue of a task.
  let isRun: @Sendable (TaskSnapshot) async throws(DLSyncError) -> Bool

  /// How often answers are looked for, and how long a process may take that does run the queue.
  private static let interval: Int64 = 20_000_000
  private static let patience: Int64 = 10_000_000_000

  /// Commands that share a commit.
  private static let groupSize = 256

  /// Processes are found by the locks that they hold.
  static func byLocks(in folder: String, _ store: Store) -> Self {
    Self(store: store) { QueueLock.holder(folder: folder, name: lock(of: $0)) != nil }
  }

  func carryOut(_ orders: [CommandOrder]) async throws(DLSyncError) -> [CommandResult] {
    var results: [CommandResult] = []
    var silent: Set<String> = []
    for start in stride(from: 0, to: orders.count, by: Self.groupSize) {
      let group = Array(orders[start..<min(start + Self.groupSize, orders.count)])
      results += try await carryOut(group: group, &silent)
    }
    return results
  }

  private func carryOut(
    group: [CommandOrder], _ silent: inout Set<String>
  ) async throws(DLSyncError) -> [CommandResult] {
    let errors = try await errors(of: group, &silent)
    return zip(group, errors).compactMap { order, error in
      // One that somebody else removed meanwhile is none of "all" any more.
      if !order.isNamed, let error, error.code == .usage || error.code == .taskNotFound { return nil }
      return CommandResult(id: order.task.id, name: order.task.destination, error: error)
    }
  }

  /// `silent`: locks of queues whose process was waited for in vain. It is not given as much time for every task.
  private func errors(
    of group: [CommandOrder], _ silent: inout Set<String>
  ) async throws(DLSyncError) -> [DLSyncError?] {
    var errors = [DLSyncError?](repeating: nil, count: group.count)
    var run: [Int] = []
    for index in group.indices where try await isRun(group[index].task) { run.append(index) }
    let numbers = try await store.post(run.map { (group[$0].command, group[$0].task.id) }, now: .now)
    let free = group.indices.filter { !run.contains($0) }
    let outcomes = try await onRecord(free.map { group[$0] })
    for (index, outcome) in zip(free, outcomes) {
      errors[index] = outcome.error
      try await tell(group[index], of: outcome, &silent)
    }
    for (index, number) in zip(run, numbers) { errors[index] = try await answer(to: number, of: group[index], &silent) }
    return errors
  }

  /// Tells the process that began to run a task's queue while a command for the task was carried out on the record.
  private func tell(
    _ order: CommandOrder, of outcome: RecordCommands.Outcome, _ silent: inout Set<String>
  ) async throws(DLSyncError) {
    let task = order.task
    guard outcome.error == nil || outcome.change != nil, try await isRun(task) else { return }
    // Whatever it answers: what was asked stands in the record that it will read, or has read.
    // It may also have read what is removed by now, and record it again.
    let number = try await store.post(order.command, task.id, of: task.scope, task.queue, now: .now)
    _ = try await answer(to: number, of: order, &silent)
  }

  private static func lock(of task: TaskSnapshot) -> String {
    QueueLock.name(scope: task.scope, queue: task.queue)
  }

  /// `number`: of the order's own request, where there was one.
  private func onRecord(
    _ orders: [CommandOrder], after number: Int64? = nil
  ) async throws(DLSyncError) -> [RecordCommands.Outcome] {
    // What was asked before, and by now by nobody, must not come after this.
    try await store.withdrawRequests(of: Set(orders.map(\.task.id)), before: number)
    return try await RecordCommands(orders.map { ($0.command, $0.task.id) }).carryOut(store)
  }

  /// The answer to a request (nil: the task was gone when it was made). When the process ends before it answers, the
  /// command is carried out here.
  private func answer(
    to number: Int64?, of order: CommandOrder, _ silent: inout Set<String>
  ) async throws(DLSyncError) -> DLSyncError? {
    guard var number else { return .taskNotFound("\(order.task.id)") }
    let lock = Self.lock(of: order.task)
    let deadline = MonotonicInstant.now.advanced(by: silent.contains(lock) ? 0 : Self.patience)
    while try await isRun(order.task), MonotonicInstant.now < deadline {
      if let answer = try await store.answers(to: [number]).first {
        _ = try await store.withdraw([number])
        return answer.error
      }
      if try await !store.hasRequest(number) {
        // Taken back by a command that found nobody to answer it, when another process had not begun to run the queue.
        let task = order.task
        let again = try await store.post(order.command, task.id, of: task.scope, task.queue, now: .now)
        guard let again else { return .taskNotFound("\(task.id)") }
        number = again
      }
      try? await Task.sleep(for: .nanoseconds(Self.interval))
    }
    if let answer = try await store.withdraw([number]).first { return answer.error }
    guard try await !isRun(order.task) else {
      silent.insert(lock)
      return DLSyncError(
        .stateLocked, "the process that runs the queue \"\(order.task.queue)\" does not answer",
        hint: "look at what it does (dlsync status), then try again")
    }
    let outcome = try await onRecord([order], after: number)[0]
    // After a kill the next process may be there in the same moment.
    try await tell(order, of: outcome, &silent)
    return outcome.error
  }
}
