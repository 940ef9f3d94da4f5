import DLSyncModel

/// Writes what a plan decided: the scope, its queues' settings, and the tasks that are to be. Rows that already say so
/// are not touched; one scan tells which those are.
struct PlanRecorder {
  let connection: Connection
  let now: Timestamp
  /// Queues whose files the agent fetches: it gets to know what it needs, and what it is at work on stays as it is.
  var handingOver: Set<QueueName> = []
  /// What the agent does when all of them have ended.
  var hook: QueueHook?
  /// How far a lock file covers the files.
  var lock: LockCoverage?

  /// What recording makes of a task.
  enum Wish {
    /// It is to be fetched or copied.
    case waiting
    /// Only what the manifest says of it may have changed; nothing is made where no record is.
    case asItIs
    /// What is there is what is wanted.
    case settled

    init?(_ file: FilePlan) {
      switch file.action {
      case .conflict: return nil
      // A stale file is finished until its server has another one.
      case .download: self = file.isHeld || file.reason == .stale ? .asItIs : .waiting
      case .reuse where file.reason == .kept: return nil
      case .reuse where file.isSettling: self = .settled
      case .reuse: self = file.reason == .copied ? .waiting : .asItIs
      }
    }

    var state: TaskState? {
      switch self {
      case .waiting: .waiting
      case .settled: .completed
      case .asItIs: nil
      }
    }
  }

  /// Records the plan within the caller's transaction. Answers the files whose destination was claimed by another scope
  /// since the plan was made; nothing is recorded for them.
  func record(_ plan: Plan) throws(StoreFailure) -> [TaskID] {
    let scope = try scopeNumber(plan.scope)
    let queues = try recordQueues(plan, scope)
    let known = try KnownTasks(of: plan, scope: scope, connection) { isAsPlanned($0, $1, queues) }
    let isFirst = try connection.integer("SELECT 1 FROM task LIMIT 1") == nil
    let changes = ChangeRecorder(connection: connection, now: now)
    var claims = try isAlone(scope) ? nil : ClaimQuery(connection: connection, besides: scope)
    var refused: [TaskID] = []
    var handedOver: Set<QueueName> = []
    for (index, file) in plan.files.enumerated() {
      guard let wish = Wish(file), let queue = queues[file.entry.queue] else { continue }
      switch known[index] {
      case .asPlanned: break
      case .other(let row): try update(row, file, wish, file.entry.wantedHash, queue, changes)
      case .nothing:
        if !isFirst, let row = try moved(file.entry, scope) {
          try update(row, file, wish, file.entry.wantedHash, queue, changes)
        } else if wish.state != nil {
          if try claims?.isAround(file.entry.destination.path) != true,
            try insert(file.entry, settling: file.settles, scope, queue, changes)
          {
            break
          }
          refused.append(file.entry.id)
          continue
        }
      }
      guard isHandedOver(file) else { continue }
      try WorkTable(connection: connection).handOver(
        file.entry, isRefresh: file.reason == .stale, pin: lock?.pin(of: file.entry, manifest: plan.source))
      handedOver.insert(file.entry.queue)
    }
    if let hook { try WorkTable(connection: connection).setHook(hook, of: plan.scope, handedOver) }
    for queue in plan.queues where queue.action != .conflict && handingOver.contains(queue.declaration.name) {
      guard let number = queues[queue.declaration.name] else { continue }
      try WorkTable(connection: connection).put(queue.declaration.configuration, queue: number)
    }
    return refused
  }

  /// Whether nothing was ever recorded of another scope.
  private func isAlone(_ scope: Int64) throws(StoreFailure) -> Bool {
    let rows = try connection.statement("SELECT 1 FROM scope WHERE number <> ? LIMIT 1")
    rows.bind(1, scope)
    defer { rows.reset() }
    return try !rows.step()
  }

  private func isHandedOver(_ file: FilePlan) -> Bool {
    !handingOver.isEmpty && (file.action == .download || file.isCopied) && handingOver.contains(file.entry.queue)
  }

  /// Whether the database says already all that recording would write. Reads only.
  func isRecorded(_ plan: Plan) throws(StoreFailure) -> Bool {
    guard let scope = try scopeRow(plan.scope) else { return false }
    let rows = try QueueRow.all(connection).filter { $0.scope == scope }
    for queue in plan.queues where queue.action != .conflict {
      guard let row = rows.first(where: { $0.name == queue.declaration.name }),
        LineCoding.encode(row.settings) == Self.settingsText(queue.declaration)
      else { return false }
    }
    guard plan.files.contains(where: { !$0.isRecorded }) else { return true }
    // What settles is always written; then the scan can be spared.
    guard !plan.files.contains(where: { $0.action == .reuse && $0.isSettling || isHandedOver($0) }) else {
      return false
    }
    return try hasRows(plan, scope, Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.number) }))
  }

  /// Whether every file that needs a row has one that says what it is to say, and no other file's row says otherwise.
  private func hasRows(_ plan: Plan, _ scope: Int64, _ queues: [QueueName: Int64]) throws(StoreFailure) -> Bool {
    let needy = plan.files.lazy.filter { Wish($0)?.state != nil }
    // Most often the first of these settles it.
    if let first = needy.first, try !isWaiting(first.entry.id) { return false }
    // What stays as it is has a row too: another id than the planned one tells that its queue changed.
    var missing = plan.files.count { !$0.isRecorded && Wish($0) != nil }
    var hasDifference = false
    try KnownTasks.scan(plan, scope: scope, connection) { index, row in
      let file = plan.files[index]
      hasDifference = !isAsPlanned(file, row, queues)
      if Wish(file) != nil { missing -= 1 }
      return !hasDifference
    }
    return !hasDifference && missing == 0
  }

  private func isWaiting(_ id: TaskID) throws(StoreFailure) -> Bool {
    let rows = try connection.statement("SELECT state FROM task WHERE id = ?")
    rows.bind(1, Int64(bitPattern: id.value))
    defer { rows.reset() }
    return try rows.step() && TaskState(stored: rows.integer(0)) == .waiting
  }

  /// Whether nothing is to be written of a file that has this row.
  private func isAsPlanned(_ file: FilePlan, _ row: KnownTasks.Row, _ queues: [QueueName: Int64]) -> Bool {
    switch Wish(file) {
    case nil: return true
    // The record takes over what is there, whatever it says.
    case .settled: return false
    case .waiting where row.state != .waiting: return false
    case .waiting, .asItIs: return row.wanted == file.entry.wantedHash && row.queue == queues[file.entry.queue]
    }
  }
}

extension PlanRecorder {
  /// The task of the same destination in another queue of the scope. It gets the new id: the record follows the file.
  private func moved(_ entry: FileEntry, _ scope: Int64) throws(StoreFailure) -> KnownTasks.Row? {
    let rows = try connection.statement(
      "SELECT number, wanted, state, queue FROM task WHERE destination = ? AND scope = ?")
    rows.bind(1, entry.destination.path)
    rows.bind(2, scope)
    defer { rows.reset() }
    return try rows.step() ? KnownTasks.Row(rows, from: 0) : nil
  }

  private func update(
    _ known: KnownTasks.Row, _ file: FilePlan, _ wish: Wish, _ wanted: Int64, _ queue: Int64, _ changes: ChangeRecorder
  ) throws(StoreFailure) {
    if known.wanted != wanted {
      try ChangedURL(connection: connection, changes: changes).settle(file.entry, known.number)
    }
    if known.wanted != wanted || known.queue != queue {
      let statement = try connection.statement(
        """
        UPDATE task SET id = ?1, wanted = ?2, queue = ?3, priority = ?4, declaredSize = ?5, permissions = ?6, url = ?7,
          checksums = ?8, updatedAt = ?9, listMark = ?10 WHERE number = ?11
        """)
      bind(statement, file.entry, wanted, queue)
      statement.bind(11, known.number)
      try statement.run()
    }
    switch wish {
    case .asItIs: break
    case .settled: if let published = file.settles { try changes.complete(known.number, published) }
    case .waiting where known.state.isInWork && handingOver.contains(file.entry.queue): break
    case .waiting where known.state != .waiting:
      try changes.await(known.number)
      // The bytes that were published are about to be replaced; their digests say nothing of the new ones. A refresh may
      // find that they stay, and a repair builds upon what they prove.
      if known.state == .completed, ![.stale, .resume].contains(file.reason) { try changes.dropPieces(known.number) }
    case .waiting: break
    }
  }

  /// False when somebody else's claim is in the way.
  func insert(
    _ entry: FileEntry, settling published: PublishedFile? = nil, _ scope: Int64, _ queue: Int64,
    _ changes: ChangeRecorder
  ) throws(StoreFailure) -> Bool {
    let statement = try connection.statement(
      """
      INSERT INTO task (id, wanted, queue, priority, declaredSize, permissions, url, checksums, createdAt, updatedAt,
        listMark, scope, state, destination) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, ?13)
      ON CONFLICT DO NOTHING
      """)
    bind(statement, entry, entry.wantedHash, queue)
    statement.bind(11, scope)
    statement.bind(12, TaskState.waiting.stored)
    statement.bind(13, entry.destination.path)
    try statement.run()
    guard connection.changes == 1 else { return false }
    if let published { try changes.complete(connection.lastRow, published) }
    return true
  }

  /// Binds parameters 1 to 10.
  private func bind(_ statement: Statement, _ entry: FileEntry, _ wanted: Int64, _ queue: Int64) {
    statement.bind(1, Int64(bitPattern: entry.id.value))
    statement.bind(2, wanted)
    statement.bind(3, queue)
    statement.bind(4, entry.priority)
    statement.bind(5, entry.size?.bytes)
    statement.bind(6, entry.options.permissions.map(Int64.init))
    statement.bind(7, StorableURL.text(of: entry.url.text))
    statement.bind(8, DigestCoding.encode(entry.checksums))
    statement.bind(9, now.nanoseconds)
    statement.bind(10, entry.options.listMark)
  }
}

extension TaskState {
  /// Whether a process is at work on it, or was when it was killed.
  fileprivate var isInWork: Bool {
    switch self {
    case .running, .retrying, .verifying, .publishing: true
    case .waiting, .suspended, .completed, .failed, .canceled, .removed: false
    }
  }
}
