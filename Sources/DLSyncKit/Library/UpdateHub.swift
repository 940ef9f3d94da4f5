internal import DLSyncModel
internal import DLSyncThreading

/// Tells readers what happens in one queue: it turns the events of its runs into updates of tasks, each change once.
final class UpdateHub: Sendable {
  private struct Board {
    /// The tasks of the present run, by file.
    var files: [TaskID] = []
    /// The last state that was told of.
    var states: [TaskID: TaskState] = [:]
    /// Tasks that are not at their end.
    var open: Set<TaskID> = []
    /// Those of them that are not held back.
    var awake: Set<TaskID> = []
    /// Readers of one task, and under nil those of all.
    var boxes: [TaskID?: [UInt64: UpdateBox]] = [:]
    /// Who waits for the end of a task, and under nil for the end of all.
    var waiters: [TaskID?: [Waiter]] = [:]
    var lastNumber: UInt64 = 0
    var isClosed = false
  }

  private let board = Locked(Board())

  // MARK: Readers

  /// A new reader, of one task or of all.
  func subscribe(to task: TaskID? = nil) -> DownloadUpdates {
    let box = UpdateBox(task: task)
    let number = board.withLock { board in
      board.lastNumber += 1
      // Nothing is to come of a task that is at its end.
      let isOver = board.isClosed || task.map { !board.open.contains($0) } ?? false
      if isOver { box.finish() } else { board.boxes[task, default: [:]][board.lastNumber] = box }
      return board.lastNumber
    }
    return DownloadUpdates(subscription: Subscription(box, number: number, hub: self))
  }

  func unsubscribe(_ number: UInt64, from task: TaskID?) {
    board.withLock { board in
      board.boxes[task]?[number] = nil
      if board.boxes[task]?.isEmpty == true { board.boxes[task] = nil }
    }
  }

  /// Someone who is woken when the task, or every task, may be at its end.
  func waiter(for task: TaskID? = nil) -> Waiter {
    let waiter = Waiter(task)
    let isClosed = board.withLock { board in
      board.waiters[task, default: []].append(waiter)
      return board.isClosed
    }
    if isClosed { waiter.wake(.closed) }
    return waiter
  }

  func dismiss(_ waiter: Waiter) {
    board.withLock { board in
      board.waiters[waiter.task]?.removeAll { $0 === waiter }
      if board.waiters[waiter.task]?.isEmpty == true { board.waiters[waiter.task] = nil }
    }
  }

  /// Whether every task is at its end.
  var isFinished: Bool { board.withLock { $0.open.isEmpty } }

  /// The tasks that are on their way, or are to be as soon as the queue runs.
  var awake: [TaskID] { board.withLock { Array($0.awake) } }

  // MARK: What happens

  /// Tasks that are not at their end, from the record.
  func begin(with open: some Sequence<(id: TaskID, state: TaskState)>) {
    board.withLock { board in
      for task in open {
        board.open.insert(task.id)
        if task.state.isAwake { board.awake.insert(task.id) }
        board.states[task.id] = task.state
      }
    }
  }

  /// A task is in another state; nothing is told where it was known to be in it.
  func tell(_ id: TaskID, _ state: TaskState, error: DLSyncError? = nil) {
    // Put under the lock, so that every reader sees one order; woken without it.
    let (readers, waiters) = board.withLock { board -> ([CheckedContinuation<Void, Never>], [Waiter]) in
      let updates = Self.note(id, state, error, &board)
      let readers = updates.flatMap { Self.put($0, of: id, board) }
      guard state.isTerminal, !updates.isEmpty else { return (readers, []) }
      let ofAll = board.open.isEmpty ? board.waiters[nil] ?? [] : []
      return (readers, (board.waiters[id] ?? []) + ofAll)
    }
    for reader in readers { reader.resume() }
    for waiter in waiters { waiter.wake(.ended) }
  }

  private static func put(
    _ update: DownloadUpdate, of id: TaskID, _ board: Board
  ) -> [CheckedContinuation<Void, Never>] {
    [nil, id].flatMap { (board.boxes[$0] ?? [:]).values.flatMap { $0.put(update) } }
  }

  private static func note(
    _ id: TaskID, _ state: TaskState, _ error: DLSyncError?, _ board: inout Board
  ) -> [DownloadUpdate] {
    guard board.states[id] != state else { return [] }
    board.states[id] = state == .removed ? nil : state
    var updates = [DownloadUpdate.state(id, state, error: error)]
    if state.isAwake { board.awake.insert(id) } else { board.awake.remove(id) }
    if !state.isTerminal {
      board.open.insert(id)
    } else if board.open.remove(id) != nil, board.open.isEmpty {
      updates.append(.finished)
    }
    return updates
  }

  /// The queue cannot be run: whoever waits for one task or for all learns why.
  func fail(_ error: DLSyncError) {
    let waiters = board.withLock { board in board.waiters.values.flatMap { $0 } }
    for waiter in waiters { waiter.wake(.failed(error)) }
  }

  /// Nothing happens any more in this process.
  func close() {
    let (boxes, waiters) = board.withLock { board in
      board.isClosed = true
      defer { board.boxes = [:] }
      return (board.boxes.values.flatMap(\.values), board.waiters.values.flatMap { $0 })
    }
    for box in boxes { box.finish() }
    for waiter in waiters { waiter.wake(.closed) }
  }

  // MARK: Events of a run

  func receive(_ event: Event) {
    switch event {
    case .planned(let plan): board.withLock { $0.files = plan.files.map(\.entry.id) }
    case .joined(let more): board.withLock { $0.files += more.map(\.entry.id) }
    case .stateChanged(let change): tell(change.file, change.to, change.error)
    case .ended(let outcome): end(outcome)
    case .progress(let file, let sample): tell(file, sample)
    case .resumed, .warning, .pruned, .finished: break
    }
  }

  /// What a command took out of the run was told of then; by now the task may be another one.
  private func end(_ outcome: FileOutcome) {
    switch outcome.state {
    case .suspended, .canceled, .removed: break
    default: tell(outcome.file, outcome.state, outcome.error)
    }
  }

  private func id(of file: Int) -> TaskID? {
    board.withLock { $0.files.indices.contains(file) ? $0.files[file] : nil }
  }

  private func tell(_ file: Int, _ state: TaskState, _ error: DLSyncError?) {
    if let id = id(of: file) { tell(id, state, error: error) }
  }

  private func tell(_ file: Int, _ sample: ProgressSample) {
    guard let id = id(of: file) else { return }
    let readers = board.withLock { board in Self.put(.progress(id, sample), of: id, board) }
    for reader in readers { reader.resume() }
  }
}
