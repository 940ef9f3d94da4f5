import DLSyncModel

/// The log within the caller's transaction. It is kept for 90 days and 100,000 lines.
struct LogTable {
  let connection: Connection

  static let lifetime: Int64 = 90 * 86_400 * 1_000_000_000
  static let limit: Int64 = 100_000

  /// Writes a line about a run. Answers its number.
  @discardableResult
  func write(_ line: LogLine) throws(StoreFailure) -> Int64 {
    let statement = try connection.statement(
      """
      INSERT INTO log (at, event, run, scope, bytes, code, message, hint, exitStatus, facts)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    statement.bind(1, line.at.nanoseconds)
    statement.bind(2, line.kind.rawValue)
    statement.bind(3, line.run)
    statement.bind(4, line.scope.text)
    statement.bind(5, line.bytes?.bytes)
    statement.bind(6, line.error?.code.text)
    statement.bind(7, line.error?.message)
    statement.bind(8, line.error?.hint)
    statement.bind(9, line.exitStatus.map(Int64.init))
    statement.bind(10, LineCoding.encode(line.facts))
    try statement.run()
    return connection.lastRow
  }

  /// Writes that tasks ended, with what their rows say.
  func write(
    _ kind: LogLine.Kind, tasks: [Int64], error: DLSyncError?, run: Int64?, now: Timestamp
  ) throws(StoreFailure) {
    let statement = try connection.statement(
      """
      INSERT INTO log (at, event, run, scope, queue, task, destination, url, bytes, code, message, hint, facts)
        SELECT ?1, ?2, ?3, scope.name, queue.name, task.id, destination, url, iif(?2 = 'completed', size, NULL), ?4, ?5, ?6,
          ?8
        FROM json_each(?7) AS ended JOIN task ON task.number = ended.value
          JOIN scope ON scope.number = task.scope JOIN queue ON queue.number = task.queue
      """)
    statement.bind(1, now.nanoseconds)
    statement.bind(2, kind.rawValue)
    statement.bind(3, run)
    statement.bind(4, error?.code.text)
    statement.bind(5, error?.message)
    statement.bind(6, error?.hint)
    statement.bind(7, "[" + tasks.map(String.init).joined(separator: ",") + "]")
    statement.bind(8, error.map { ErrorCoding.encode($0.details) })
    try statement.run()
  }

  /// Forgets what is too old or too much.
  func trim(now: Timestamp) throws(StoreFailure) {
    let old = try connection.statement("DELETE FROM log WHERE at < ?")
    old.bind(1, now.nanoseconds - Self.lifetime)
    try old.run()
    let many = try connection.statement("DELETE FROM log WHERE number <= (SELECT max(number) FROM log) - ?")
    many.bind(1, Self.limit)
    try many.run()
  }

  /// Lines behind a number and not before a moment, oldest first.
  func lines(after number: Int64, since: Timestamp?) throws(StoreFailure) -> [LogLine] {
    let rows = try connection.statement(
      """
      SELECT number, at, event, run, scope, queue, task, destination, url, bytes, code, message, hint, exitStatus, facts
        FROM log WHERE number > ? AND at >= ? ORDER BY number
      """)
    rows.bind(1, number)
    rows.bind(2, since?.nanoseconds ?? .min)
    var lines: [LogLine] = []
    while try rows.step() {
      guard let kind = LogLine.Kind(rawValue: rows.text(2)) else { continue }
      lines.append(Self.line(rows, kind))
    }
    return lines
  }

  private static func line(_ row: Statement, _ kind: LogLine.Kind) -> LogLine {
    var line = LogLine(
      number: row.integer(0), at: Timestamp(nanoseconds: row.integer(1)), kind: kind, scope: Scope(row.text(4)))
    // A beginning is what the others are numbered by.
    line.run = kind == .runBegun ? line.number : row.integerOrNull(3)
    line.queue = row.textOrNull(5).map { QueueName($0) }
    line.task = row.integerOrNull(6).map { TaskID(value: UInt64(bitPattern: $0)) }
    line.destination = row.textOrNull(7)
    line.url = row.textOrNull(8)
    line.bytes = row.byteCountOrNull(9)
    // The facts of a task are those of its error.
    line.error = row.textOrNull(10).map { code in
      DLSyncError(
        ErrorCode(text: code) ?? .internal, row.text(11), hint: row.textOrNull(12),
        line.task == nil ? .init() : ErrorCoding.details(row.text(14)))
    }
    line.exitStatus = row.integerOrNull(13).map { Int32(truncatingIfNeeded: $0) }
    if line.task == nil { line.facts = LineCoding.decode(row.text(14)) }
    return line
  }
}
