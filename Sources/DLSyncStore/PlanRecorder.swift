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

  /// What is known of a recorded task.
  private struct Known {
    let number: Int64
    let wanted: Int64
    let state: TaskState
    let queue: Int64

    /// Four columns in this order.
    init(_ row: Statement, from column: Int32) {
      number = row.integer(column)
      wanted = row.integer(column + 1)
      state = TaskState(stored: row.integer(column + 2))
      queue = row.integer(column + 3)
    }
  }

  /// What recording makes of a task.
  enum Wish {
    /// It is to be fetched or copied.
    case waiting
    /// Only what the manifest says of it may have changed; nothing is made where no record is.
    case asItIs
    /// What is there is what is wanted.
    case settled(PublishedFile)

    init?(_ file: FilePlan) {
      switch file.action {
      case .conflict: return nil
      // A stale file is finished until its server has another one.
      case .download: self = file.isHeld || file.reason == .stale ? .asItIs : .waiting
      case .reuse where file.reason == .kept: return nil
      case .reuse: self = file.settles.map(Wish.settled) ?? (file.reason == .copied ? .waiting : .asItIs)
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
    let known = try knownTasks(scope, plan.files)
    let isFirst = try connection.integer("SELECT 1 FROM task LIMIT 1") == nil
    let changes = ChangeRecorder(connection: connection, now: now)
    var refused: [TaskID] = []
    var handedOver: Set<QueueName> = []
    for file in plan.files {
      guard let wish = Wish(file), let queue = queues[file.entry.queue] else { continue }
      let wanted = file.entry.wantedHash
      var found = known[file.entry.id]
      if found == nil, !isFirst { found = try moved(file.entry, scope) }
      if let found {
        try update(found, file, wish, wanted, queue, changes)
      } else if wish.state != nil, try !insert(file.entry, wish, wanted, scope, queue, changes) {
        refused.append(file.entry.id)
        continue
      }
      guard isHandedOver(file) else { continue }
      try WorkTable(connection: connection).handOver(file.entry, isRefresh: file.reason == .stale)
      handedOver.insert(file.entry.queue)
    }
    if let hook { try WorkTable(connection: connection).setHook(hook, of: plan.scope, handedOver) }
    for queue in plan.queues where queue.action != .conflict && handingOver.contains(queue.declaration.name) {
      guard let number = queues[queue.declaration.name] else { continue }
      try WorkTable(connection: connection).put(queue.declaration.configuration, queue: number)
    }
    return refused
  }

  private func isHandedOver(_ file: FilePlan) -> Bool {
    !handingOver.isEmpty && (file.action == .download || file.isCopied) && handingOver.contains(file.entry.queue)
  }

  /// Whether the database says already all that recording would write. Reads only.
  func isRecorded(_ plan: Plan) throws(StoreFailure) -> Bool {
    // What settles is always written; then the scan can be spared.
    guard !plan.files.contains(where: { $0.settles != nil && $0.action == .reuse }) else { return false }
    guard !plan.files.contains(where: isHandedOver) else { return false }
    guard let scope = try scopeRow(plan.scope) else { return false }
    let rows = try QueueRow.all(connection).filter { $0.scope == scope }
    for queue in plan.queues where queue.action != .conflict {
      guard let row = rows.first(where: { $0.name == queue.declaration.name }),
        SettingsCoding.encode(row.settings) == Self.settingsText(queue.declaration)
      else { return false }
    }
    let numbers = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.number) })
    let known = try knownTasks(scope, plan.files)
    for file in plan.files {
      guard let wish = Wish(file) else { continue }
      guard let found = known[file.entry.id] else {
        if wish.state != nil { return false }
        continue
      }
      if found.wanted != file.entry.wantedHash || found.queue != numbers[file.entry.queue] { return false }
      if let state = wish.state, state != found.state { return false }
    }
    return true
  }
}

extension PlanRecorder {
  /// What is recorded of these files, at least.
  private func knownTasks(_ scope: Int64, _ files: [FilePlan]) throws(StoreFailure) -> [TaskID: Known] {
    var known: [TaskID: Known] = [:]
    guard try !StateQuery(connection: connection).isFew(files.count) else {
      let rows = try connection.statement("SELECT number, wanted, state, queue FROM task WHERE id = ? AND scope = ?")
      for file in files {
        rows.bind(1, Int64(bitPattern: file.entry.id.value))
        rows.bind(2, scope)
        while try rows.step() { known[file.entry.id] = Known(rows, from: 0) }
      }
      return known
    }
    known.reserveCapacity(Int(try connection.integer("SELECT max(number) FROM task") ?? 0))
    let rows = try connection.statement("SELECT scope, id, number, wanted, state, queue FROM task")
    while try rows.step() {
      guard rows.integer(0) == scope else { continue }
      known[TaskID(value: UInt64(bitPattern: rows.integer(1)))] = Known(rows, from: 2)
    }
    return known
  }

  /// The task of the same destination in another queue of the scope. It gets the new id: the record follows the file.
  private func moved(_ entry: FileEntry, _ scope: Int64) throws(StoreFailure) -> Known? {
    let rows = try connection.statement(
      "SELECT number, wanted, state, queue FROM task WHERE destination = ? AND scope = ?")
    rows.bind(1, entry.destination.path)
    rows.bind(2, scope)
    defer { rows.reset() }
    return try rows.step() ? Known(rows, from: 0) : nil
  }

  private func update(
    _ known: Known, _ file: FilePlan, _ wish: Wish, _ wanted: Int64, _ queue: Int64, _ changes: ChangeRecorder
  ) throws(StoreFailure) {
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
    case .settled(let published): try changes.complete(known.number, published)
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
    _ entry: FileEntry, _ wish: Wish, _ wanted: Int64, _ scope: Int64, _ queue: Int64, _ changes: ChangeRecorder
  ) throws(StoreFailure) -> Bool {
    let statement = try connection.statement(
      """
      INSERT INTO task (id, wanted, queue, priority, declaredSize, permissions, url, checksums, createdAt, updatedAt,
        listMark, scope, state, destination) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, ?13)
      ON CONFLICT DO NOTHING
      """)
    bind(statement, entry, wanted, queue)
    statement.bind(11, scope)
    statement.bind(12, TaskState.waiting.stored)
    statement.bind(13, entry.destination.path)
    try statement.run()
    guard connection.changes == 1 else { return false }
    if case .settled(let published) = wish {
      try changes.complete(connection.lastRow, published)
    }
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

extension PlanRecorder {
  private func scopeRow(_ scope: Scope) throws(StoreFailure) -> Int64? {
    let rows = try connection.statement("SELECT number FROM scope WHERE name = ?")
    rows.bind(1, scope.text)
    defer { rows.reset() }
    return try rows.step() ? rows.integer(0) : nil
  }

  func scopeNumber(_ scope: Scope) throws(StoreFailure) -> Int64 {
    if let number = try scopeRow(scope) { return number }
    let statement = try connection.statement("INSERT INTO scope (name) VALUES (?)")
    statement.bind(1, scope.text)
    try statement.run()
    return connection.lastRow
  }

  /// Writes settings that differ, those of conflicting queues excepted. Answers the number of every queue of the scope.
  func recordQueues(_ plan: Plan, _ scope: Int64) throws(StoreFailure) -> [QueueName: Int64] {
    var numbers: [QueueName: Int64] = [:]
    var texts: [QueueName: String] = [:]
    for row in try QueueRow.all(connection) where row.scope == scope {
      numbers[row.name] = row.number
      texts[row.name] = SettingsCoding.encode(row.settings)
    }
    for queue in plan.queues where queue.action != .conflict {
      let name = queue.declaration.name
      let text = Self.settingsText(queue.declaration)
      guard texts[name] != text else { continue }
      let statement = try connection.statement(
        """
        INSERT INTO queue (scope, name, settings) VALUES (?, ?, ?)
        ON CONFLICT (scope, name) DO UPDATE SET settings = excluded.settings RETURNING number
        """)
      statement.bind(1, scope)
      statement.bind(2, name.text)
      statement.bind(3, text)
      while try statement.step() { numbers[name] = statement.integer(0) }
    }
    return numbers
  }

  private static func settingsText(_ queue: QueueDeclaration) -> String {
    SettingsCoding.encode(queue.configuration.settings.lazy.map { (key: $0.key, value: $0.value) })
  }
}

extension FileEntry {
  /// A hash of everything that is recorded of what the manifest wants, the credentials of the URL included: they are not
  /// stored, but a change of them must not go unseen.
  var wantedHash: Int64 {
    var hash = StableHash()
    hash.combine(urlBytes)
    var count: UInt64 = 0
    forEachChecksum { _, _ in count += 1 }
    hash.combine(count)
    forEachChecksum { algorithm, bytes in
      hash.combine(UInt64(algorithm.stored))
      var word: UInt64 = 0
      for (index, byte) in bytes.enumerated() {
        word = word << 8 | UInt64(byte)
        // Every digest is a whole number of these long.
        if index & 3 == 3 { hash.combine(word) }
      }
    }
    hash.combine(UInt64(bitPattern: size?.bytes ?? -1))
    hash.combine(priority.bitPattern)
    hash.combine(UInt64(options.permissions ?? .max))
    if options.listMark != 0 { hash.combine(UInt64(bitPattern: options.listMark)) }
    return Int64(bitPattern: hash.finish())
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
