import DLSyncModel

/// What is needed to go on with tasks from the record alone, within the caller's transaction: of the agent's, and of
/// those that programs asked for through the library.
struct WorkTable {
  let connection: Connection

  /// Tasks that are the agent's to go on with: on their way, or completed and to be refreshed.
  private static let open: StaticString = """
    SELECT 1 FROM work JOIN task ON task.number = work.task JOIN queue ON queue.number = task.queue
      WHERE (task.state IN (1, 2, 3, 5, 6) OR isRefresh = 1 AND task.state = 7)
        AND queue.settings LIKE 'mode=background%' LIMIT 1
    """

  /// Hands an entry over to the agent. What was known of it before is replaced.
  func handOver(_ entry: FileEntry, isRefresh: Bool, pin: LockPin? = nil) throws(StoreFailure) {
    guard let task = try put(entry, isRefresh: isRefresh, pin: pin) else { return }
    try HandedTable(connection: connection).begin(task)
  }

  /// Keeps what is needed to go on with an entry; without secrets, header values and credentials of URLs are left out.
  /// Answers the number of its row.
  @discardableResult
  func put(
    _ entry: FileEntry, isRefresh: Bool = false, keepsSecrets: Bool = true, pin: LockPin? = nil
  ) throws(StoreFailure) -> Int64? {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO work SELECT number, ?1, ?3 FROM task WHERE id = ?2 RETURNING task")
    statement.bind(1, EntryCoding.encode(entry, keepsSecrets: keepsSecrets, pin: pin))
    statement.bind(2, Int64(bitPattern: entry.id.value))
    statement.bind(3, isRefresh)
    var task: Int64?
    while try statement.step() { task = statement.integer(0) }
    return task
  }

  /// What settings do not tell of a queue, and that there is more to do.
  func put(_ configuration: QueueConfiguration, queue: Int64) throws(StoreFailure) {
    var proxy: String?
    if case .url(let url) = configuration.network.proxy { proxy = url }
    let statement = try connection.statement("UPDATE queue SET proxy = ?, handed = handed + 1 WHERE number = ?")
    statement.bind(1, proxy)
    statement.bind(2, queue)
    try statement.run()
  }

  /// Forgets what was kept of a queue for work that is done: the proxy's URL and the user's command may hold passwords. What
  /// can be gone on with, a failed task too, still needs them.
  func forgetSecrets(of queue: Int64) throws(StoreFailure) {
    let statement = try connection.statement(
      """
      UPDATE queue SET proxy = NULL, hook = NULL WHERE number = ?1
        AND NOT EXISTS (SELECT 1 FROM work JOIN task ON task.number = work.task WHERE task.queue = ?1)
      """)
    statement.bind(1, queue)
    try statement.run()
  }

  /// Of a queue whose tasks were all removed there is no end to tell, and nothing to go on with.
  func forgetEmptyQueues() throws(StoreFailure) {
    let statement = try connection.statement(
      """
      UPDATE queue SET isOwed = 0, proxy = NULL, hook = NULL WHERE isOwed = 1
        AND NOT EXISTS (SELECT 1 FROM task WHERE task.queue = queue.number)
      """)
    try statement.run()
  }

  /// A background task waits again, for the agent or for the program that runs its queue.
  func noteMore(for task: Int64) throws(StoreFailure) {
    let statement = try connection.statement(
      "UPDATE queue SET handed = handed + 1 WHERE number = (SELECT queue FROM task WHERE number = ?)")
    statement.bind(1, task)
    try statement.run()
    try HandedTable(connection: connection).beginAgain(task)
  }

  /// Whether anything is the agent's to go on with, or to tell.
  func hasWork() throws(StoreFailure) -> Bool {
    if try connection.integer(Self.open) != nil { return true }
    return try connection.integer("SELECT 1 FROM queue WHERE isOwed = 1 LIMIT 1") != nil
  }

  /// What a queue has for the agent.
  enum Claim { case work, end }

  /// Queues with something to go on with.
  func queues() throws(StoreFailure) -> [BackgroundQueue] { try queues(having: .work).map(\.queue) }

  /// Queues with something to go on with, or those without whose end is yet to be told; and the numbers of their rows.
  func queues(having claim: Claim) throws(StoreFailure) -> [(queue: BackgroundQueue, number: Int64)] {
    let scopes = try StateQuery(connection: connection).scopeNames()
    let rows = try connection.statement(
      """
      SELECT scope, name, settings, proxy, handed, hook, number, isOwed,
        settings LIKE 'mode=background%' AND EXISTS
        (SELECT 1 FROM task JOIN work ON work.task = task.number
          WHERE task.queue = queue.number
            AND (task.state IN (1, 2, 3, 5, 6) OR isRefresh = 1 AND task.state = 7)) FROM queue
      """)
    var queues: [(queue: BackgroundQueue, number: Int64)] = []
    while try rows.step() {
      let hasWork = rows.integer(8) != 0
      guard claim == .work ? hasWork : !hasWork && rows.integer(7) != 0 else { continue }
      guard let scope = scopes[rows.integer(0)] else { continue }
      let settings = Dictionary(LineCoding.decode(rows.text(2))) { first, _ in first }
      let declaration = QueueDeclaration(
        QueueName(rows.text(1)), QueueConfiguration(settings: settings, proxy: rows.textOrNull(3)))
      let queue = BackgroundQueue(
        scope: scope, declaration: declaration, handed: rows.integer(4), hook: QueueHook(stored: rows.text(5)))
      queues.append((queue, rows.integer(6)))
    }
    return queues
  }

  /// The entries of a queue that are to be gone on with, in the order in which they were recorded.
  func entries(of scope: Scope, _ queue: QueueName) throws(StoreFailure) -> [BackgroundEntry] {
    let rows = try connection.statement(
      """
      SELECT entry, destination, checksums, declaredSize, task.priority, permissions, isRefresh FROM work
        JOIN task ON task.number = work.task JOIN queue ON queue.number = task.queue
        JOIN scope ON scope.number = task.scope
        WHERE scope.name = ? AND queue.name = ?
          AND (task.state IN (1, 2, 3, 5, 6) OR isRefresh = 1 AND task.state = 7) ORDER BY task.number
      """)
    rows.bind(1, scope.text)
    rows.bind(2, queue.text)
    var entries: [BackgroundEntry] = []
    while try rows.step() {
      guard let entry = EntryCoding.decode(rows.text(0), EntryCoding.Row(rows, of: scope, queue)) else { continue }
      entries.append(BackgroundEntry(entry: entry, isRefresh: rows.integer(6) != 0, pin: EntryCoding.pin(rows.text(0))))
    }
    return entries
  }

  func setHook(_ hook: QueueHook, of scope: Scope, _ queues: Set<QueueName>) throws(StoreFailure) {
    let statement = try connection.statement(
      "UPDATE queue SET hook = ? WHERE name = ? AND scope = (SELECT number FROM scope WHERE name = ?)")
    for queue in queues {
      statement.bind(1, hook.stored)
      statement.bind(2, queue.text)
      statement.bind(3, scope.text)
      try statement.run()
    }
  }
}
