import DLSyncModel

/// Carries out commands on the record, within the caller's transaction.
struct CommandRecorder {
  let connection: Connection
  let now: Timestamp

  /// What is recorded of a task, and the number of its row; nil where nothing is.
  func find(_ id: TaskID) throws(StoreFailure) -> (number: Int64, task: CommandedTask)? {
    let rows = try connection.statement(
      """
      SELECT task.number, destination, state,
        settings LIKE 'mode=background%' AND EXISTS (SELECT 1 FROM work WHERE work.task = task.number),
        fingerprint, device, inode, size, modified, changed, mode, recordedAt,
        EXISTS (SELECT 1 FROM intent WHERE intent.task = task.number)
        FROM task JOIN queue ON queue.number = task.queue WHERE id = ?
      """)
    rows.bind(1, Int64(bitPattern: id.value))
    defer { rows.reset() }
    guard try rows.step() else { return nil }
    // A short file is recorded with its intent alone, and may be in place since its process was killed.
    let isPublishing = rows.integer(12) != 0
    let task = CommandedTask(
      id: id, destination: rows.text(1), state: isPublishing ? .publishing : TaskState(stored: rows.integer(2)),
      published: PublishedFile(rows, from: 4), isBackground: rows.integer(3) != 0)
    return (rows.integer(0), task)
  }

  /// Does what the judge allows. Answers the task as it was before.
  func carryOut(_ command: TaskCommand, _ id: TaskID) throws(StoreFailure) -> Result<CommandedTask, DLSyncError> {
    guard let (number, task) = try find(id) else { return .failure(.taskNotFound("\(id)")) }
    switch TaskCommandJudge().decide(command, state: task.state, isBackground: task.isBackground) {
    case .failure(let error): return .failure(error)
    case .success(let effect):
      try apply(command, effect, number, task)
      return .success(task)
    }
  }

  private func apply(
    _ command: TaskCommand, _ effect: TaskEffect, _ number: Int64, _ task: CommandedTask
  ) throws(StoreFailure) {
    let changes = ChangeRecorder(connection: connection, now: now)
    if effect.dropsPartialData, task.state != .completed { try changes.dropPieces(number) }
    if let state = effect.state { try changes.record([.state(task.id, state, error: nil)]) }
    if effect.state == .waiting, task.isBackground { try WorkTable(connection: connection).noteMore(for: number) }
    switch command {
    case .priority(let value): try stand(number, priority: value, rank: nil)
    case .reorder(let rank): try stand(number, priority: nil, rank: Int64(rank))
    case .headers(let fields): try replaceHeaders(number, fields)
    default: break
    }
  }

  private func stand(_ number: Int64, priority: Double?, rank: Int64?) throws(StoreFailure) {
    let statement = try connection.statement(
      """
      INSERT INTO standing VALUES (?1, ?2, ?3) ON CONFLICT (task) DO UPDATE SET
        priority = coalesce(excluded.priority, priority), rank = coalesce(excluded.rank, rank)
      """)
    statement.bind(1, number)
    statement.bind(2, priority)
    statement.bind(3, rank)
    try statement.run()
  }

  private func replaceHeaders(_ number: Int64, _ headers: [HeaderField]) throws(StoreFailure) {
    let rows = try connection.statement("SELECT entry FROM work WHERE task = ?")
    rows.bind(1, number)
    guard try rows.step() else { return rows.reset() }
    let text = EntryCoding.replacingHeaders(rows.text(0), with: headers)
    rows.reset()
    let statement = try connection.statement("UPDATE work SET entry = ? WHERE task = ?")
    statement.bind(1, text)
    statement.bind(2, number)
    try statement.run()
  }
}
