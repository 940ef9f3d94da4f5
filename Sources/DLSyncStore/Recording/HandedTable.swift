import DLSyncModel

/// What became of the tasks that were handed over to the agent, within the caller's transaction.
struct HandedTable {
  let connection: Connection

  /// A task is the agent's from now on; how it was left before counts no more, and the end of its queue is to be told.
  func begin(_ task: Int64) throws(StoreFailure) {
    let statement = try connection.statement("INSERT OR REPLACE INTO handed (task) VALUES (?)")
    statement.bind(1, task)
    try statement.run()
    let owing = try connection.statement(
      "UPDATE queue SET isOwed = 1 WHERE isOwed = 0 AND number = (SELECT queue FROM task WHERE number = ?)")
    owing.bind(1, task)
    try owing.run()
  }

  /// A task that was handed over waits again. One of a program never was, and the end of its queue is for the program to see.
  func beginAgain(_ task: Int64) throws(StoreFailure) {
    let rows = try connection.statement("SELECT 1 FROM handed WHERE task = ?")
    rows.bind(1, task)
    let wasHandedOver = try rows.step()
    rows.reset()
    if wasHandedOver { try begin(task) }
  }

  func leave(_ task: Int64, _ state: TaskState, _ fetched: ByteCount, _ error: DLSyncError?) throws(StoreFailure) {
    let statement = try connection.statement("UPDATE handed SET state = ?, fetched = ?, error = ? WHERE task = ?")
    statement.bind(1, state.stored)
    statement.bind(2, fetched.bytes)
    statement.bind(3, error.map(ErrorCoding.encode))
    statement.bind(4, task)
    try statement.run()
  }

  /// How the agent left the tasks that it had, by the number of their rows.
  func results() throws(StoreFailure) -> [Int64: HandedResult] {
    var results: [Int64: HandedResult] = [:]
    let rows = try connection.statement("SELECT task, state, fetched, error FROM handed WHERE state IS NOT NULL")
    while try rows.step() {
      results[rows.integer(0)] = HandedResult(
        state: TaskState(stored: rows.integer(1)), fetched: ByteCount(max(0, rows.integer(2))),
        error: rows.textOrNull(3).map(ErrorCoding.decode))
    }
    return results
  }

  /// An end is to be told again, with this of its hook; one that somebody else made due meanwhile has a hook of its own.
  func oweAgain(_ queue: Int64, _ tasks: [TaskID], _ hook: QueueHook) throws(StoreFailure) {
    let owing = try connection.statement(
      """
      UPDATE queue SET hook = CASE WHEN isOwed = 1 THEN hook ELSE ?2 END, isOwed = 1 WHERE number = ?1
        AND EXISTS (SELECT 1 FROM task WHERE task.queue = ?1)
      """)
    owing.bind(1, queue)
    owing.bind(2, hook.stored)
    try owing.run()
    let telling = try connection.statement(
      "UPDATE handed SET isTold = 0 WHERE task = (SELECT number FROM task WHERE id = ?1 AND queue = ?2)")
    for task in tasks {
      telling.bind(1, Int64(bitPattern: task.value))
      telling.bind(2, queue)
      try telling.run()
    }
  }

  /// Takes the ends that are owed: from now on they are told, whatever becomes of who tells them. Answers each queue with
  /// the tasks that it is about, as the numbers of their rows.
  func takeEnds() throws(StoreFailure) -> [(queue: BackgroundQueue, number: Int64, tasks: Set<Int64>)] {
    var ends: [(queue: BackgroundQueue, number: Int64, tasks: Set<Int64>)] = []
    for (queue, number) in try WorkTable(connection: connection).queues(having: .end) {
      var tasks: Set<Int64> = []
      let rows = try connection.statement(
        "SELECT handed.task FROM handed JOIN task ON task.number = handed.task WHERE isTold = 0 AND task.queue = ?")
      rows.bind(1, number)
      while try rows.step() { tasks.insert(rows.integer(0)) }
      rows.reset()
      ends.append((queue, number, tasks))
    }
    for end in ends {
      let told = try connection.statement(
        "UPDATE handed SET isTold = 1 WHERE task IN (SELECT number FROM task WHERE queue = ?)")
      told.bind(1, end.number)
      try told.run()
      let owing = try connection.statement("UPDATE queue SET isOwed = 0 WHERE number = ?")
      owing.bind(1, end.number)
      try owing.run()
      try WorkTable(connection: connection).forgetSecrets(of: end.number)
    }
    return ends
  }
}
