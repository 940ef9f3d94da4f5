import DLSyncModel

/// Tasks that programs ask for one by one, within the caller's transaction.
struct RequestedTasks {
  let connection: Connection
  let now: Timestamp

  /// Makes a waiting task of each entry whose destination is free, in their order.
  func enrol(_ entries: [FileEntry], _ queue: QueueDeclaration, _ scope: Scope) throws(StoreFailure) -> [Enrolment] {
    let recorder = PlanRecorder(connection: connection, now: now)
    let number = try recorder.scopeNumber(scope)
    guard let row = try QueueRow.all(connection).first(where: { $0.scope == number && $0.name == queue.name }) else {
      throw StoreFailure(.damaged, "it has no queue \"\(queue.name)\"")
    }
    let table = WorkTable(connection: connection)
    let changes = ChangeRecorder(connection: connection, now: now)
    let claims = ClaimQuery(connection: connection)
    var enrolments: [Enrolment] = []
    for entry in entries {
      if let claim = try claims.claim(on: entry.destination.path) {
        enrolments.append(.claimed(path: claim.path, by: claim.scope, queue: claim.queue))
        continue
      }
      _ = try recorder.insert(entry, number, row.number, changes)
      try table.put(entry, keepsSecrets: queue.keepsSecrets)
      enrolments.append(.added)
    }
    return enrolments
  }

  /// The tasks of a queue that these rows are of, in their order.
  private func tasks(_ rows: Statement, _ scope: Scope, _ queue: QueueName) throws(StoreFailure) -> [RequestedTask] {
    var tasks: [RequestedTask] = []
    while try rows.step() {
      if let task = Self.task(rows, scope, queue) { tasks.append(task) }
    }
    return tasks
  }

  /// Every task of a queue, in the order in which they were recorded; only those to be gone on with where that is asked.
  func tasks(of scope: Scope, _ queue: QueueName, onlyOpen: Bool) throws(StoreFailure) -> [RequestedTask] {
    let condition = onlyOpen ? " AND state IN (1, 2, 3, 5, 6)" : ""
    let rows = try Statement(
      "\(Self.everyTask) WHERE scope.name = ? AND queue.name = ?\(condition) ORDER BY task.number", on: connection)
    rows.bind(1, scope.text)
    rows.bind(2, queue.text)
    return try tasks(rows, scope, queue)
  }

  /// One task of a queue; nil where it is not recorded, or is another's.
  func task(_ id: TaskID, of scope: Scope, _ queue: QueueName) throws(StoreFailure) -> RequestedTask? {
    let rows = try Statement(
      "\(Self.everyTask) WHERE id = ? AND scope.name = ? AND queue.name = ?", on: connection)
    rows.bind(1, Int64(bitPattern: id.value))
    rows.bind(2, scope.text)
    rows.bind(3, queue.text)
    return try tasks(rows, scope, queue).first
  }

  private static let everyTask: StaticString = """
    SELECT entry, destination, checksums, declaredSize, task.priority, permissions, state, url, code, task.number
    FROM task JOIN queue ON queue.number = task.queue JOIN scope ON scope.number = task.scope
      LEFT JOIN work ON work.task = task.number LEFT JOIN failure ON failure.task = task.number
    """

  private static func task(_ rows: Statement, _ scope: Scope, _ queue: QueueName) -> RequestedTask? {
    let row = EntryCoding.Row(rows, of: scope, queue)
    let work = rows.textOrNull(0)
    let text = work ?? LineCoding.encode([(key: "url", value: rows.text(7))])
    guard let entry = EntryCoding.decode(text, row) else { return nil }
    return RequestedTask(
      number: rows.integer(9), state: TaskState(stored: rows.integer(6)), entry: entry, isWhole: work != nil,
      isWithheld: work.map { EntryCoding.isWithheld($0) } ?? true,
      errorCode: rows.textOrNull(8).flatMap { ErrorCode(text: $0) })
  }
}

extension QueueDeclaration {
  /// Whether header values and credentials are recorded: of background queues alone.
  var keepsSecrets: Bool { configuration.mode == .background }
}
