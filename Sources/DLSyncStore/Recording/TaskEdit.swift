import DLSyncModel

/// Columns of a task's row that several changes set, to be written in one statement.
struct TaskEdit {
  private var state: TaskState?
  private var finishedAt: Timestamp?
  /// The number of the attempt that begins; the first one sets the start time. Zero when nothing was tried yet.
  var attempts: Int?
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
        attempts = coalesce(?4, attempts), startedAt = iif(?4 = 1 OR ?4 > 1 AND startedAt IS NULL, ?1, startedAt),
        total = iif(?5, ?6, total) WHERE number = ?7
      """)
    statement.bind(1, now.nanoseconds)
    statement.bind(2, state?.stored)
    statement.bind(3, finishedAt?.nanoseconds)
    statement.bind(4, attempts.map(Int64.init))
    statement.bind(5, total != nil)
    statement.bind(6, total.flatMap { $0?.bytes })
    statement.bind(7, task)
    try statement.run()
  }
}
