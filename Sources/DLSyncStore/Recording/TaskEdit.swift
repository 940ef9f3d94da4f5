import DLSyncModel

/// Columns of a task's row that several changes set, to be written in one statement.
struct TaskEdit {
  private var state: TaskState?
  private var finishedAt: Timestamp?
  /// The number of the attempt that begins; the first one sets the start time. Zero when nothing was tried yet.
  var attempts: Int?
  /// When it began, if that is another moment than the one of recording.
  var beganAt: Timestamp?
  /// The resource's length as the server told it; `.some(nil)` where it told none.
  var total: ByteCount??

  var isEmpty: Bool { state == nil && attempts == nil && total == nil }

  /// `finishedAt` is when the task came to an end that it is still at.
  mutating func enter(_ state: TaskState, finishedAt: Timestamp?) {
    self.state = state
    self.finishedAt = finishedAt
  }

  func write(_ connection: Connection, task: Int64, now: Timestamp) throws(StoreFailure) {
    let statement = try connection.statement(
      """
      UPDATE task SET updatedAt = ?1, state = coalesce(?2, state), finishedAt = iif(?2 IS NULL, finishedAt, ?3),
        attempts = coalesce(?4, attempts), startedAt = iif(?4 = 1 OR ?4 > 1 AND startedAt IS NULL, ?8, startedAt),
        total = iif(?5, ?6, total) WHERE number = ?7
      """)
    statement.bind(1, now.nanoseconds)
    statement.bind(2, state?.stored)
    statement.bind(3, finishedAt?.nanoseconds)
    statement.bind(4, attempts.map(Int64.init))
    statement.bind(5, total != nil)
    statement.bind(6, total.flatMap { $0?.bytes })
    statement.bind(7, task)
    statement.bind(8, (beganAt ?? now).nanoseconds)
    try statement.run()
  }

  /// The same in one statement with what is published: whatever state was to be told before, it is `completed` now. `total`
  /// is its length where it travelled; a file that did not keeps what a server told. Where a killed run brought it before
  /// anybody was told that it runs, that was its first attempt, of which the intent tells.
  func complete(
    _ connection: Connection, task: Int64, _ file: PublishedFile, total: Int64?, now: Timestamp
  ) throws(StoreFailure) {
    let statement = try connection.statement(
      """
      UPDATE task SET state = ?1, confirmed = 0, total = coalesce(?2, total), finishedAt = ?3, updatedAt = ?3,
        checkedAt = iif(?2 IS NULL, checkedAt, ?3), fingerprint = ?5, device = ?6, inode = ?7, size = ?8, modified = ?9,
        changed = ?10, mode = ?11, recordedAt = ?12, isFiled = 0,
        attempts = coalesce(?13, iif(attempts > 0, attempts, EXISTS (SELECT 1 FROM intent WHERE task = ?4 AND fingerprint = ?5))),
        startedAt = iif(?13 = 1 OR ?13 > 1 AND startedAt IS NULL, ?14,
          coalesce(startedAt, (SELECT recordedAt FROM intent WHERE task = ?4 AND fingerprint = ?5))) WHERE number = ?4
      """)
    statement.bind(1, TaskState.completed.stored)
    statement.bind(2, total)
    statement.bind(3, now.nanoseconds)
    statement.bind(4, task)
    file.bind(statement, from: 5)
    statement.bind(13, attempts.map(Int64.init))
    statement.bind(14, (beganAt ?? now).nanoseconds)
    try statement.run()
  }
}
