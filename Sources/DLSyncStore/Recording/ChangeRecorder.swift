import DLSyncModel

/// Writes what happens to tasks, within the caller's transaction.
///
/// A small file costs little but its record, so this is sparing: changes of one task that follow each other find its row
/// once and set its columns in one statement, and rows beside it are removed only from tables that hold any.
final class ChangeRecorder {
  let connection: Connection
  let now: Timestamp
  /// The run that the log is told of.
  private let run: Int64?
  private let shown: ShownHeaders
  private let beside: SideRows
  /// What the row of `edited` is to say and does not say yet.
  private var edit = TaskEdit()
  private var edited: Int64 = 0
  /// Tasks that were completed and are not yet in the log: a group is told of in one statement.
  private var completed: [Int64] = []

  init(connection: Connection, now: Timestamp, run: Int64? = nil, shown: ShownHeaders = ShownHeaders()) {
    self.connection = connection
    self.now = now
    self.run = run
    self.shown = shown
    beside = SideRows(connection)
  }

  /// Writes changes in their order. Those of tasks that are not recorded are passed over.
  func record(_ changes: [TaskChange]) throws(StoreFailure) {
    var id: TaskID?
    var number: Int64?
    for change in changes {
      if id != change.id {
        try writeEdit()
        id = change.id
        number = try self.number(change.id)
      }
      guard let task = number else { continue }
      edited = task
      try record(change, task)
      // What else is told of it is of no task any more.
      if case .state(_, .removed, _) = change { number = nil }
    }
    try writeEdit()
    try logCompleted()
  }

  private func record(_ change: TaskChange, _ task: Int64) throws(StoreFailure) {
    switch change {
    case .began(_, let attempt, let moment): try begin(task, attempt, moment)
    case .state(let id, .removed, _):
      try log(.removed, task)
      edit = TaskEdit()
      try remove(id)
    case .state(_, let state, let error): try enter(task, state, error)
    case .response(_, let response): try write(response, task)
    case .confirmed(_, let pieces): try confirm(task, pieces)
    case .progress(_, let sample): try note(task, sample)
    case .piecesDropped: try dropPieces(task)
    case .intent(_, let file, let keepsState): try intend(task, file, keepsState)
    case .published(_, let file, let bytes):
      try complete(task, file, total: bytes)
      completed.append(task)
    case .checked: try check(task)
    case .left(_, let state, let fetched, let error):
      try HandedTable(connection: connection).leave(task, state, fetched, error)
    case .settled(_, let file): try complete(task, file)
    }
  }

  private func remove(_ id: TaskID) throws(StoreFailure) {
    try run("DELETE FROM task WHERE id = ?") { $0.bind(1, Int64(bitPattern: id.value)) }
  }

  private func number(_ id: TaskID) throws(StoreFailure) -> Int64? {
    let rows = try connection.statement("SELECT number FROM task WHERE id = ?")
    rows.bind(1, Int64(bitPattern: id.value))
    defer { rows.reset() }
    return try rows.step() ? rows.integer(0) : nil
  }

  private func log(_ kind: LogLine.Kind, _ task: Int64, _ error: DLSyncError? = nil) throws(StoreFailure) {
    try writeEdit()
    try logCompleted()
    try LogTable(connection: connection).write(kind, tasks: [task], error: error, run: run, now: now)
  }

  private func logCompleted() throws(StoreFailure) {
    guard !completed.isEmpty else { return }
    try LogTable(connection: connection).write(.completed, tasks: completed, error: nil, run: run, now: now)
    completed = []
  }

  private func writeEdit() throws(StoreFailure) {
    guard !edit.isEmpty else { return }
    try edit.write(connection, task: edited, now: now)
    edit = TaskEdit()
  }

  private func run(_ sql: StaticString, _ bind: (Statement) -> Void) throws(StoreFailure) {
    let statement = try connection.statement(sql)
    bind(statement)
    try statement.run()
  }
}

// States.
extension ChangeRecorder {
  private func begin(_ task: Int64, _ attempt: Int, _ moment: Timestamp?) throws(StoreFailure) {
    edit.enter(.running, finishedAt: nil)
    edit.attempts = attempt
    edit.beganAt = moment
    // An attempt that follows trouble: the first one finds none, for planning forgot it.
    guard attempt > 1 else { return }
    try beside.clear(.failure, task)
    try beside.clear(.intent, task)
  }

  /// Back to the beginning: nothing was tried yet.
  func await(_ task: Int64) throws(StoreFailure) {
    edited = task
    edit.attempts = 0
    try enter(task, .waiting, nil)
    try writeEdit()
  }

  private func enter(_ task: Int64, _ state: TaskState, _ error: DLSyncError?) throws(StoreFailure) {
    let isEnd = state == .completed || state == .failed || state == .canceled
    edit.enter(state, finishedAt: isEnd ? now : nil)
    if let error { try write(error, task) } else { try beside.clear(.failure, task) }
    if state != .publishing { try beside.clear(.intent, task) }
    if state != .running { try beside.clear(.progress, task) }
    if state == .completed { try beside.clear(.work, task) }
    if state == .failed { try log(.failed, task, error) }
    if state == .canceled { try log(.canceled, task) }
  }

  private func intend(_ task: Int64, _ file: PublishedFile, _ keepsState: Bool) throws(StoreFailure) {
    if keepsState {
      // What is recorded of the server is of another file, and this one's word comes later.
      try run("DELETE FROM response WHERE task = ?") { $0.bind(1, task) }
    } else {
      edit.enter(.publishing, finishedAt: nil)
    }
    beside.note(.intent)
    try run("INSERT OR REPLACE INTO intent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)") {
      $0.bind(1, task)
      file.bind($0, from: 2)
    }
  }

  /// The file is there. `total` is its length where it travelled; a file that did not keeps what a server told.
  func complete(_ task: Int64, _ file: PublishedFile, total: Int64? = nil) throws(StoreFailure) {
    if total == nil { try writeEdit() }
    try edit.complete(connection, task: task, file, total: total, now: now)
    edit = TaskEdit()
    for table in SideRows.Table.allCases { try beside.clear(table, task) }
  }

  /// The server has nothing newer than what is there.
  private func check(_ task: Int64) throws(StoreFailure) {
    try writeEdit()
    try run("UPDATE task SET state = ?1, confirmed = 0, checkedAt = ?2, updatedAt = ?2 WHERE number = ?3") {
      $0.bind(1, TaskState.completed.stored)
      $0.bind(2, now.nanoseconds)
      $0.bind(3, task)
    }
    try beside.clear(.failure, task)
    try beside.clear(.intent, task)
  }
}

// What is told, and what is there.
extension ChangeRecorder {
  private func write(_ response: ResponseRecord, _ task: Int64) throws(StoreFailure) {
    edit.total = .some(response.total)
    try run("INSERT OR REPLACE INTO response VALUES (?, ?, ?, ?, ?, ?)") {
      $0.bind(1, task)
      $0.bind(2, response.statusCode.map(Int64.init))
      $0.bind(3, StorableURL.text(of: response.finalURL))
      $0.bind(4, utf8: HeaderCoding.bytes(shown.select(response.headers)))
      $0.bind(5, response.isResumable)
      $0.bind(6, response.validator)
    }
  }

  private func write(_ error: DLSyncError, _ task: Int64) throws(StoreFailure) {
    beside.note(.failure)
    try run("INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?, ?, ?, ?, ?)") {
      $0.bind(1, task)
      $0.bind(2, error.code.text)
      $0.bind(3, error.message)
      $0.bind(4, error.hint)
      $0.bind(5, error.isRetryable)
      $0.bind(6, error.details.statusCode.map(Int64.init))
      $0.bind(7, error.details.retryAfter)
      $0.bind(8, error.details.underlying)
    }
  }

  private func note(_ task: Int64, _ sample: ProgressSample) throws(StoreFailure) {
    beside.note(.progress)
    try run("INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)") {
      $0.bind(1, task)
      $0.bind(2, sample.completed.bytes)
      $0.bind(3, sample.total?.bytes)
      $0.bind(4, sample.bytesPerSecond)
    }
  }

  private func confirm(_ task: Int64, _ pieces: [ConfirmedPiece]) throws(StoreFailure) {
    guard !pieces.isEmpty else { return }
    for piece in pieces {
      try run("INSERT OR REPLACE INTO piece (task, lower, upper, kind, digest) VALUES (?, ?, ?, ?, ?)") {
        $0.bind(1, task)
        $0.bind(2, piece.range.lower)
        $0.bind(3, piece.range.upper)
        $0.bind(4, piece.kind.rawValue)
        $0.bind(5, DigestCoding.encode(piece.digest))
      }
    }
    try run(
      """
      UPDATE task SET confirmed = (SELECT sum(upper - lower) FROM piece WHERE task = ?1), updatedAt = ?2
        WHERE number = ?1
      """
    ) {
      $0.bind(1, task)
      $0.bind(2, now.nanoseconds)
    }
  }

  func dropPieces(_ task: Int64) throws(StoreFailure) {
    try run("DELETE FROM piece WHERE task = ?") { $0.bind(1, task) }
    try run("UPDATE task SET confirmed = 0, updatedAt = ?1 WHERE number = ?2") {
      $0.bind(1, now.nanoseconds)
      $0.bind(2, task)
    }
  }
}
