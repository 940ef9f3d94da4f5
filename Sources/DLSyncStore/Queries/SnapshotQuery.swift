import DLSyncModel

/// What `status` shows, as recorded.
struct SnapshotQuery {
  let connection: Connection
  /// Scopes by number: those that are asked for.
  private let scopes: [Int64: Scope]

  /// Nil asks for every scope.
  init(connection: Connection, scopes wanted: [Scope]?) throws(StoreFailure) {
    self.connection = connection
    let all = try StateQuery(connection: connection).scopeNames()
    scopes = wanted.map { wanted in all.filter { wanted.contains($0.value) } } ?? all
  }

  func tasks() throws(StoreFailure) -> [TaskSnapshot] { try rows().map(\.task) }

  /// The tasks with the numbers of their rows.
  func rows() throws(StoreFailure) -> [(number: Int64, task: TaskSnapshot)] {
    let queues = try queueRows()
    let results = try HandedTable(connection: connection).results()
    let pieces = try pieceCounts()
    let rows = try connection.statement(Self.everyTask)
    var snapshots: [(number: Int64, task: TaskSnapshot)] = []
    while try rows.step() {
      guard let scope = scopes[rows.integer(0)], let queue = queues[rows.integer(2)] else { continue }
      let number = rows.integer(26)
      var snapshot = Self.snapshot(rows, scope, queue, pieces[number] ?? 0)
      snapshot.handed = results[number]
      snapshots.append((number, snapshot))
    }
    return snapshots
  }

  /// One task; nil where nothing is recorded of it.
  func task(_ id: TaskID) throws(StoreFailure) -> TaskSnapshot? {
    let queues = try queueRows()
    let rows = try Statement("\(Self.everyTask) WHERE id = ?", on: connection)
    rows.bind(1, Int64(bitPattern: id.value))
    guard try rows.step(), let scope = scopes[rows.integer(0)], let queue = queues[rows.integer(2)] else { return nil }
    let pieces = try connection.statement("SELECT count(*) FROM piece WHERE task = ?")
    pieces.bind(1, rows.integer(26))
    defer { pieces.reset() }
    return Self.snapshot(rows, scope, queue, try pieces.step() ? Int(pieces.integer(0)) : 0)
  }

  private static let everyTask: StaticString = """
    SELECT task.scope, id, queue, url, destination, state, createdAt,
      coalesce(standing.priority, task.priority), attempts, confirmed,
      coalesce(task.total, iif(state = 7, size, declaredSize)), startedAt, updatedAt, finishedAt, checksums,
      response.statusCode, finalURL, headers, isResumable,
      code, message, hint, isRetryable, failure.statusCode, retryAfter, underlying, number,
      fingerprint, device, inode, size, modified, changed, mode, recordedAt,
      progress.completed, progress.total, speed, (SELECT isRefresh FROM work WHERE work.task = number)
    FROM task LEFT JOIN response ON response.task = number LEFT JOIN failure ON failure.task = number
      LEFT JOIN standing ON standing.task = number LEFT JOIN progress ON progress.task = number
    """

  func queues() throws(StoreFailure) -> [QueueSnapshot] {
    var sums: [Int64: Sums] = [:]
    let rows = try connection.statement(
      "SELECT queue, state, confirmed, size, coalesce(total, iif(state = 7, size, declaredSize)) FROM task")
    while try rows.step() {
      sums[rows.integer(0), default: Sums()].add(rows)
    }
    return try QueueRow.all(connection).compactMap { row in
      guard let scope = scopes[row.scope] else { return nil }
      var snapshot = QueueSnapshot(name: row.name, scope: scope, settings: row.settings)
      sums[row.number]?.fill(&snapshot)
      return snapshot
    }
  }
}

extension SnapshotQuery {
  private func queueRows() throws(StoreFailure) -> [Int64: QueueRow] {
    Dictionary(uniqueKeysWithValues: try QueueRow.all(connection).map { ($0.number, $0) })
  }

  private func pieceCounts() throws(StoreFailure) -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    let rows = try connection.statement("SELECT task, count(*) FROM piece GROUP BY task")
    while try rows.step() { counts[rows.integer(0)] = Int(rows.integer(1)) }
    return counts
  }

  private static func snapshot(_ row: Statement, _ scope: Scope, _ queue: QueueRow, _ pieces: Int) -> TaskSnapshot {
    var snapshot = TaskSnapshot(
      id: TaskID(value: UInt64(bitPattern: row.integer(1))), scope: scope, queue: queue.name, url: row.text(3),
      destination: row.text(4), state: TaskState(stored: row.integer(5)), createdAt: row.timestamp(6))
    snapshot.priority = row.double(7)
    snapshot.attempts = Int(row.integer(8))
    let published = PublishedFile(row, from: 27)
    let isCompleted = snapshot.state == .completed
    let completed = max(0, isCompleted ? published?.identity.size ?? row.integer(10) : row.integer(9))
    snapshot.completedBytes = ByteCount(completed)
    snapshot.totalBytes = row.byteCountOrNull(10)
    snapshot.startedAt = row.timestampOrNull(11)
    snapshot.updatedAt = row.timestamp(12)
    snapshot.finishedAt = row.timestampOrNull(13)
    snapshot.checksums = row.withBlob(14, DigestCoding.decode)
    snapshot.fingerprint = published?.fingerprint
    if !row.isNull(16) {
      snapshot.statusCode = row.integerOrNull(15).map(Int.init)
      snapshot.finalURL = row.text(16)
      snapshot.responseHeaders = row.headers(17)
      snapshot.isResumable = row.booleanOrNull(18)
    }
    snapshot.chunkSize = queue.chunkSize.map { ByteCount($0) }
    snapshot.confirmedChunks = pieces
    if isCompleted, let size = queue.chunkSize {
      snapshot.confirmedChunks = Int(completed / size + (completed % size > 0 ? 1 : 0))
    }
    snapshot.isBackground = queue.isBackground && !row.isNull(38)
    snapshot.isRefreshing = isCompleted && row.integer(38) == 1
    if !row.isNull(35) {
      snapshot.lastSample = ProgressSample(
        completed: ByteCount(max(0, row.integer(35))), total: row.byteCountOrNull(36),
        bytesPerSecond: row.isNull(37) ? nil : row.double(37))
    }
    if !row.isNull(19) { snapshot.error = DLSyncError(row, from: 19) }
    return snapshot
  }

  private struct Sums {
    var tasks = 0
    var byState: [TaskState: Int] = [:]
    var completed: Int64 = 0
    /// Nil as soon as one task's length is unknown.
    var total: Int64? = 0

    /// A row of state, confirmed, size and total, from column 1.
    mutating func add(_ row: Statement) {
      let state = TaskState(stored: row.integer(1))
      tasks += 1
      byState[state, default: 0] += 1
      completed &+= state == .completed ? row.integer(3) : row.integer(2)
      total = total.flatMap { sum in row.integerOrNull(4).map { sum &+ $0 } }
    }

    func fill(_ snapshot: inout QueueSnapshot) {
      func count(_ states: TaskState...) -> Int { states.reduce(0) { $0 + (byState[$1] ?? 0) } }
      snapshot.taskCount = tasks
      snapshot.runningCount = count(.running, .verifying, .publishing)
      snapshot.completedCount = count(.completed)
      snapshot.failedCount = count(.failed)
      snapshot.canceledCount = count(.canceled)
      snapshot.completedBytes = ByteCount(max(0, completed))
      snapshot.totalBytes = total.map { ByteCount(max(0, $0)) }
    }
  }
}

extension Statement {
  fileprivate func timestamp(_ column: Int32) -> Timestamp { Timestamp(nanoseconds: integer(column)) }

  fileprivate func timestampOrNull(_ column: Int32) -> Timestamp? {
    integerOrNull(column).map { Timestamp(nanoseconds: $0) }
  }

  func byteCountOrNull(_ column: Int32) -> ByteCount? { integerOrNull(column).map { ByteCount(max(0, $0)) } }

  /// `name: value` lines.
  func headers(_ column: Int32) -> [HeaderField] {
    HeaderCoding.decode(text(column))
  }
}

extension DLSyncError {
  /// Seven columns: code, message, hint, isRetryable, statusCode, retryAfter, underlying.
  fileprivate init(_ row: Statement, from column: Int32) {
    self.init(
      ErrorCode(text: row.text(column)) ?? .internal, row.text(column + 1), hint: row.textOrNull(column + 2),
      Details(
        isRetryable: row.integer(column + 3) != 0, statusCode: row.integerOrNull(column + 4).map(Int.init),
        retryAfter: row.isNull(column + 5) ? nil : row.double(column + 5), underlying: row.textOrNull(column + 6)))
  }
}
