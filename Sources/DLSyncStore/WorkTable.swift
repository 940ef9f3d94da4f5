import DLSyncModel

/// What the agent has to do, within the caller's transaction.
struct WorkTable {
  let connection: Connection

  /// States of tasks that are the agent's to go on with.
  private static let open: StaticString = """
    SELECT 1 FROM work JOIN task ON task.number = work.task WHERE task.state IN (1, 2, 3, 5, 6) LIMIT 1
    """

  /// Hands an entry over. What was known of it before is replaced.
  func put(_ entry: FileEntry, queue: Int64) throws(StoreFailure) {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO work SELECT number, ? FROM task WHERE id = ?")
    statement.bind(1, EntryCoding.encode(entry))
    statement.bind(2, Int64(bitPattern: entry.id.value))
    try statement.run()
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

  /// A task of the agent waits again.
  func noteMore(for task: Int64) throws(StoreFailure) {
    let statement = try connection.statement(
      "UPDATE queue SET handed = handed + 1 WHERE number = (SELECT queue FROM task WHERE number = ?)")
    statement.bind(1, task)
    try statement.run()
  }

  /// Whether anything is the agent's to go on with.
  func hasWork() throws(StoreFailure) -> Bool { try connection.integer(Self.open) != nil }

  /// Queues with something to go on with.
  func queues() throws(StoreFailure) -> [BackgroundQueue] {
    let scopes = try StateQuery(connection: connection).scopeNames()
    let rows = try connection.statement(
      """
      SELECT scope, name, settings, proxy, handed, hook, number FROM queue WHERE EXISTS
        (SELECT 1 FROM task JOIN work ON work.task = task.number
          WHERE task.queue = queue.number AND task.state IN (1, 2, 3, 5, 6))
      """)
    var queues: [BackgroundQueue] = []
    while try rows.step() {
      guard let scope = scopes[rows.integer(0)] else { continue }
      let settings = Dictionary(SettingsCoding.decode(rows.text(2))) { first, _ in first }
      let declaration = QueueDeclaration(
        QueueName(rows.text(1)), QueueConfiguration(settings: settings, proxy: rows.textOrNull(3)))
      queues.append(
        BackgroundQueue(
          scope: scope, declaration: declaration, handed: rows.integer(4), hook: QueueHook(stored: rows.text(5))))
    }
    return queues
  }

  /// The entries of a queue that are to be gone on with, in the order in which they were recorded.
  func entries(of scope: Scope, _ queue: QueueName) throws(StoreFailure) -> [FileEntry] {
    let rows = try connection.statement(
      """
      SELECT entry, destination, checksums, declaredSize, task.priority, permissions FROM work
        JOIN task ON task.number = work.task JOIN queue ON queue.number = task.queue
        JOIN scope ON scope.number = task.scope
        WHERE scope.name = ? AND queue.name = ? AND task.state IN (1, 2, 3, 5, 6) ORDER BY task.number
      """)
    rows.bind(1, scope.text)
    rows.bind(2, queue.text)
    var entries: [FileEntry] = []
    while try rows.step() {
      let row = EntryCoding.Row(
        scope: scope, queue: queue, destination: rows.text(1), checksums: rows.withBlob(2, DigestCoding.decode),
        size: rows.byteCountOrNull(3), priority: rows.double(4),
        permissions: rows.integerOrNull(5).map { UInt16(truncatingIfNeeded: $0) })
      if let entry = EntryCoding.decode(rows.text(0), row) { entries.append(entry) }
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
