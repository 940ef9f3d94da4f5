import DLSyncModel
import DLSyncThreading

/// Requests between processes, within the caller's transaction.
struct RequestTable {
  let connection: Connection

  /// A request older than this, in nanoseconds, is ignored: whoever made it is gone. Ages are by the monotonic clock, which all
  /// processes of one boot share: a time far in the future is from before a reboot, and one slightly ahead was made while
  /// the reader waited for the lock.
  private static let lifetime: Int64 = 30_000_000_000

  func post(_ task: TaskID, _ command: TaskCommand, now: MonotonicInstant) throws(StoreFailure) -> Int64? {
    let statement = try connection.statement(
      """
      INSERT INTO request (task, queue, command, madeAt) SELECT id, queue, ?2, ?3 FROM task WHERE id = ?1
      """)
    statement.bind(1, Int64(bitPattern: task.value))
    statement.bind(2, CommandCoding.encode(command))
    statement.bind(3, now.nanoseconds)
    try statement.run()
    return connection.changes == 1 ? connection.lastRow : nil
  }

  /// The same for a task that the table of tasks may have no more.
  func post(
    _ task: TaskID, _ command: TaskCommand, to scope: Scope, _ queue: QueueName, now: MonotonicInstant
  ) throws(StoreFailure) -> Int64? {
    let statement = try connection.statement(
      """
      INSERT INTO request (task, queue, command, madeAt) SELECT ?1, queue.number, ?2, ?3 FROM queue
        JOIN scope ON scope.number = queue.scope WHERE scope.name = ?4 AND queue.name = ?5
      """)
    statement.bind(1, Int64(bitPattern: task.value))
    statement.bind(2, CommandCoding.encode(command))
    statement.bind(3, now.nanoseconds)
    statement.bind(4, scope.text)
    statement.bind(5, queue.text)
    try statement.run()
    return connection.changes == 1 ? connection.lastRow : nil
  }

  /// What is to be done for these queues of a scope, oldest first.
  func open(scope: Scope, queues: Set<QueueName>, now: MonotonicInstant) throws(StoreFailure) -> [TaskRequest] {
    var found: [TaskRequest] = []
    let rows = try connection.statement(
      """
      SELECT request.number, task, command, queue.name, scope.name, madeAt FROM request
        JOIN queue ON queue.number = request.queue JOIN scope ON scope.number = queue.scope
        WHERE answeredAt IS NULL ORDER BY request.number
      """)
    while try rows.step() {
      guard rows.text(4) == scope.text, queues.contains(QueueName(rows.text(3))),
        rows.integer(5) > now.nanoseconds - Self.lifetime, rows.integer(5) <= now.nanoseconds + Self.lifetime,
        let command = CommandCoding.decode(rows.text(2))
      else { continue }
      let task = TaskID(value: UInt64(bitPattern: rows.integer(1)))
      found.append(TaskRequest(number: rows.integer(0), task: task, command: command))
    }
    return found
  }

  /// Every request without an answer, however old.
  func unanswered() throws(StoreFailure) -> [(number: Int64, task: TaskID)] {
    let rows = try connection.statement("SELECT number, task FROM request WHERE answeredAt IS NULL")
    var found: [(number: Int64, task: TaskID)] = []
    while try rows.step() { found.append((rows.integer(0), TaskID(value: UInt64(bitPattern: rows.integer(1))))) }
    return found
  }

  /// An answered request keeps no header values.
  func answer(_ answer: TaskAnswer, now: MonotonicInstant) throws(StoreFailure) {
    let statement = try connection.statement(
      "UPDATE request SET answeredAt = ?1, code = ?2, message = ?3, hint = ?4, command = '' WHERE number = ?5 AND answeredAt IS NULL"
    )
    statement.bind(1, now.nanoseconds)
    statement.bind(2, answer.error?.code.text)
    statement.bind(3, answer.error?.message)
    statement.bind(4, answer.error?.hint)
    statement.bind(5, answer.number)
    try statement.run()
  }

  func answers(to numbers: [Int64]) throws(StoreFailure) -> [TaskAnswer] {
    let rows = try connection.statement(
      "SELECT code, message, hint FROM request WHERE number = ? AND answeredAt IS NOT NULL")
    var found: [TaskAnswer] = []
    for number in numbers {
      rows.bind(1, number)
      defer { rows.reset() }
      guard try rows.step() else { continue }
      let error = rows.textOrNull(0).map { code in
        DLSyncError(ErrorCode(text: code) ?? .internal, rows.text(1), hint: rows.textOrNull(2))
      }
      found.append(TaskAnswer(number: number, error: error))
    }
    return found
  }

  func holds(_ number: Int64) throws(StoreFailure) -> Bool {
    let rows = try connection.statement("SELECT 1 FROM request WHERE number = ?")
    rows.bind(1, number)
    defer { rows.reset() }
    return try rows.step()
  }

  func remove(_ numbers: [Int64]) throws(StoreFailure) {
    let statement = try connection.statement("DELETE FROM request WHERE number = ?")
    for number in numbers {
      statement.bind(1, number)
      try statement.run()
    }
  }

  /// What nobody will ask for any more.
  func removeOld(now: MonotonicInstant) throws(StoreFailure) {
    let statement = try connection.statement("DELETE FROM request WHERE madeAt < ? OR madeAt > ?")
    statement.bind(1, now.nanoseconds - 10 * Self.lifetime)
    statement.bind(2, now.nanoseconds + Self.lifetime)
    try statement.run()
  }
}
