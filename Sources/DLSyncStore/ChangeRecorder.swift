import DLSyncModel

/// Writes what happens to tasks, within the caller's transaction.
struct ChangeRecorder {
  let connection: Connection
  let now: Timestamp
  /// The run that the log is told of.
  var run: Int64?

  func record(_ change: TaskChange) throws(StoreFailure) {
    switch change {
    case .began(let id, let attempt):
      guard let task = try number(id) else { return }
      try begin(task, attempt)
    case .state(let id, .removed, _):
      guard let task = try number(id) else { return }
      try log(.removed, task)
      try remove(id)
    case .state(let id, let state, let error):
      guard let task = try number(id) else { return }
      try enter(task, state, error)
    case .response(let id, let response):
      guard let task = try number(id) else { return }
      try write(response, task)
    case .confirmed(let id, let pieces):
      guard !pieces.isEmpty, let task = try number(id) else { return }
      try confirm(task, pieces)
    case .progress(let id, let sample):
      guard let task = try number(id) else { return }
      try note(task, sample)
    case .piecesDropped(let id):
      guard let task = try number(id) else { return }
      try dropPieces(task)
    case .intent(let id, let file):
      guard let task = try number(id) else { return }
      try intend(task, file)
    case .published(let id, let file, let bytes):
      guard let task = try number(id) else { return }
      try complete(task, file, total: bytes)
      try log(.completed, task)
    case .checked(let id):
      guard let task = try number(id) else { return }
      try check(task)
    case .settled(let id, let file):
      guard let task = try number(id) else { return }
      try complete(task, file)
    }
  }

  func remove(_ id: TaskID) throws(StoreFailure) {
    try run("DELETE FROM task WHERE id = ?") { $0.bind(1, Int64(bitPattern: id.value)) }
  }

  private func number(_ id: TaskID) throws(StoreFailure) -> Int64? {
    let rows = try connection.statement("SELECT number FROM task WHERE id = ?")
    rows.bind(1, Int64(bitPattern: id.value))
    defer { rows.reset() }
    return try rows.step() ? rows.integer(0) : nil
  }

  private func log(_ kind: LogLine.Kind, _ task: Int64, _ error: DLSyncError? = nil) throws(StoreFailure) {
    try LogTable(connection: connection).write(kind, task: task, error: error, run: run, now: now)
  }

  private func run(_ sql: StaticString, _ bind: (Statement) -> Void) throws(StoreFailure) {
    let statement = try connection.statement(sql)
    bind(statement)
    try statement.run()
  }
}

extension ChangeRecorder {
  private func begin(_ task: Int64, _ attempt: Int) throws(StoreFailure) {
    try run(
      """
      UPDATE task SET state = ?1, attempts = ?2, startedAt = iif(?2 = 1 OR startedAt IS NULL, ?3, startedAt),
        finishedAt = NULL, updatedAt = ?3 WHERE number = ?4
      """
    ) {
      $0.bind(1, TaskState.running.stored)
      $0.bind(2, Int64(attempt))
      $0.bind(3, now.nanoseconds)
      $0.bind(4, task)
    }
    // An attempt that follows trouble: the first one finds none, for planning forgot it.
    guard attempt > 1 else { return }
    try forgetFailure(task)
    try forgetIntent(task)
  }

  /// Back to the beginning: nothing was tried yet.
  func await(_ task: Int64) throws(StoreFailure) {
    try run("UPDATE task SET attempts = 0 WHERE number = ?") { $0.bind(1, task) }
    try enter(task, .waiting, nil)
  }

  private func enter(_ task: Int64, _ state: TaskState, _ error: DLSyncError?) throws(StoreFailure) {
    let isEnd = state == .completed || state == .failed || state == .canceled
    try run("UPDATE task SET state = ?1, updatedAt = ?2, finishedAt = ?3 WHERE number = ?4") {
      $0.bind(1, state.stored)
      $0.bind(2, now.nanoseconds)
      $0.bind(3, isEnd ? now.nanoseconds : nil)
      $0.bind(4, task)
    }
    if let error { try write(error, task) } else { try forgetFailure(task) }
    if state != .publishing { try forgetIntent(task) }
    if state != .running { try forgetProgress(task) }
    if state == .completed { try run("DELETE FROM work WHERE task = ?") { $0.bind(1, task) } }
    if state == .failed { try log(.failed, task, error) }
    if state == .canceled { try log(.canceled, task) }
  }

  private func intend(_ task: Int64, _ file: PublishedFile) throws(StoreFailure) {
    try run("UPDATE task SET state = ?1, updatedAt = ?2, finishedAt = NULL WHERE number = ?3") {
      $0.bind(1, TaskState.publishing.stored)
      $0.bind(2, now.nanoseconds)
      $0.bind(3, task)
    }
    try run("INSERT OR REPLACE INTO intent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)") {
      $0.bind(1, task)
      file.bind($0, from: 2)
    }
  }

  /// The file is there. `total` is its length where it travelled; a file that did not keeps what a server told.
  func complete(_ task: Int64, _ file: PublishedFile, total: Int64? = nil) throws(StoreFailure) {
    try run(
      """
      UPDATE task SET state = ?1, confirmed = 0, total = coalesce(?2, total), finishedAt = ?3, updatedAt = ?3,
        checkedAt = iif(?2 IS NULL, checkedAt, ?3), fingerprint = ?5, device = ?6, inode = ?7, size = ?8, modified = ?9, changed = ?10, mode = ?11, recordedAt = ?12
        WHERE number = ?4
      """
    ) {
      $0.bind(1, TaskState.completed.stored)
      $0.bind(2, total)
      $0.bind(3, now.nanoseconds)
      $0.bind(4, task)
      file.bind($0, from: 5)
    }
    try forgetFailure(task)
    try forgetIntent(task)
    try forgetProgress(task)
    try run("DELETE FROM standing WHERE task = ?") { $0.bind(1, task) }
    try run("DELETE FROM work WHERE task = ?") { $0.bind(1, task) }
  }

  private func forgetProgress(_ task: Int64) throws(StoreFailure) {
    try run("DELETE FROM progress WHERE task = ?") { $0.bind(1, task) }
  }

  /// The server has nothing newer than what is there.
  private func check(_ task: Int64) throws(StoreFailure) {
    try run("UPDATE task SET state = ?1, confirmed = 0, checkedAt = ?2, updatedAt = ?2 WHERE number = ?3") {
      $0.bind(1, TaskState.completed.stored)
      $0.bind(2, now.nanoseconds)
      $0.bind(3, task)
    }
    try forgetFailure(task)
    try forgetIntent(task)
  }

  private func forgetFailure(_ task: Int64) throws(StoreFailure) {
    try run("DELETE FROM failure WHERE task = ?") { $0.bind(1, task) }
  }

  private func forgetIntent(_ task: Int64) throws(StoreFailure) {
    try run("DELETE FROM intent WHERE task = ?") { $0.bind(1, task) }
  }
}

extension ChangeRecorder {
  private func write(_ response: ResponseRecord, _ task: Int64) throws(StoreFailure) {
    let headers = response.headers.filter { Redaction.mayShow(responseHeader: $0.name) }
    try run("INSERT OR REPLACE INTO response VALUES (?, ?, ?, ?, ?, ?)") {
      $0.bind(1, task)
      $0.bind(2, response.statusCode.map(Int64.init))
      $0.bind(3, StorableURL.text(of: response.finalURL))
      $0.bind(4, HeaderCoding.encode(headers))
      $0.bind(5, response.isResumable)
      $0.bind(6, response.validator)
    }
    try run("UPDATE task SET total = ?1, updatedAt = ?2 WHERE number = ?3") {
      $0.bind(1, response.total?.bytes)
      $0.bind(2, now.nanoseconds)
      $0.bind(3, task)
    }
  }

  private func write(_ error: DLSyncError, _ task: Int64) throws(StoreFailure) {
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
    try run("INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)") {
      $0.bind(1, task)
      $0.bind(2, sample.completed.bytes)
      $0.bind(3, sample.total?.bytes)
      $0.bind(4, sample.bytesPerSecond)
    }
  }

  private func confirm(_ task: Int64, _ pieces: [ConfirmedPiece]) throws(StoreFailure) {
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
