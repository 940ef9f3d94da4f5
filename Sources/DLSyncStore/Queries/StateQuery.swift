import DLSyncModel

/// What planning needs of one scope: one scan of all tasks in the order of their rows, or a look at few of them.
struct StateQuery {
  let connection: Connection

  /// Everything. `files` are those of the scope's manifest: what both say is kept once.
  func state(of scope: Scope, files: [FileEntry] = []) throws(StoreFailure) -> StoredState {
    try state(of: scope, rows: nil, files: files)
  }

  /// What concerns some entries: the tasks that have their destinations, another scope's above or below them, and finished
  /// files that have their SHA-256. All of the scope's where the entries are many.
  func state(of scope: Scope, concerning entries: [FileEntry]) throws(StoreFailure) -> StoredState {
    try state(of: scope, rows: isFew(entries.count) ? rows(concerning: entries, scope) : nil, files: entries)
  }

  /// Whether that many lookups cost less than a scan.
  func isFew(_ count: Int) throws(StoreFailure) -> Bool {
    if count < 8 { return true }
    return try count < rowCount() / 16
  }

  /// How many tasks there are, roughly: numbers of removed ones are missing.
  private func rowCount() throws(StoreFailure) -> Int {
    Int(try connection.integer("SELECT max(number) FROM task") ?? 0)
  }

  private func rows(concerning entries: [FileEntry], _ scope: Scope) throws(StoreFailure) -> [Int64] {
    let scopes = try scopeNames()
    let own = scopes.first { $0.value == scope }?.key
    let claims = scopes.count > (own == nil ? 0 : 1) ? ClaimQuery(connection: connection, besides: own) : nil
    let places = try connection.statement("SELECT number FROM task WHERE destination = ?")
    let twins = try connection.statement(
      "SELECT number FROM task WHERE isFiled = 1 AND fingerprint = ? AND state = 7 LIMIT 4")
    var numbers: Set<Int64> = []
    var wanted: Set<Digest> = []
    for entry in entries {
      places.bind(1, entry.destination.path)
      while try places.step() { numbers.insert(places.integer(0)) }
      if let claim = try claims?.claim(on: entry.destination.path) { numbers.insert(claim.number) }
      for digest in entry.checksums where digest.algorithm == .sha256 && wanted.insert(digest).inserted {
        twins.bind(1, DigestCoding.encode(digest))
        while try twins.step() { numbers.insert(twins.integer(0)) }
      }
    }
    if !wanted.isEmpty { try numbers.formUnion(unfiled(wanted)) }
    return numbers.sorted()
  }

  /// Finished files with such bytes that the index does not have yet.
  private func unfiled(_ wanted: Set<Digest>) throws(StoreFailure) -> [Int64] {
    let rows = try connection.statement("SELECT number, fingerprint FROM task WHERE isFiled = 0 AND state = 7")
    var numbers: [Int64] = []
    while try rows.step() {
      if let digest = rows.withBlob(1, DigestCoding.decodeOne), wanted.contains(digest) {
        numbers.append(rows.integer(0))
      }
    }
    return numbers
  }

  private func state(of scope: Scope, rows: [Int64]?, files: [FileEntry]) throws(StoreFailure) -> StoredState {
    let scopes = try scopeNames()
    let own = scopes.first { $0.value == scope }?.key
    let queues = try QueueRow.all(connection).filter { $0.scope == own }
    let intents = try intents()
    var state = StoredState(queues: queues.map(\.stored))
    var packer = TaskPacker()
    var index = TaskIndex(count: files.count)
    let names = queues.map { (number: $0.number, name: $0.name) }
    func add(_ owner: Int64, _ row: Statement) {
      guard owner == own else {
        state.foreignClaims[BytewiseText(row.text(1))] = scopes[owner] ?? Scope("")
        return
      }
      let id = TaskID(value: UInt64(bitPattern: row.integer(3)))
      let number = row.integer(4)
      let queue = names.first { $0.number == number }?.name
      let entry = index.file(of: id, task: { files[$0].id }).map { files[$0] }
      self.add(
        row, queue: queue ?? .default, intent: intents[row.integer(2)], like: entry,
        isAsWanted: entry.map { $0.queue == queue && $0.wantedHash == row.integer(21) } ?? false, to: &packer)
    }
    if let rows {
      for row in rows { try forEachTask(in: row...row, add) }
    } else {
      try forEachTask(add)
    }
    state.tasks = packer.finish()
    return state
  }

  /// Every task of every scope in the order of their rows, with its scope's number; only those of some rows where that is
  /// asked.
  func forEachTask(
    in range: ClosedRange<Int64> = 0 ... .max, _ body: (Int64, Statement) -> Void
  ) throws(StoreFailure) {
    let rows = try connection.statement(
      """
      SELECT scope, destination, number, id, queue, state, priority, confirmed, total, url, checksums,
        fingerprint, device, inode, size, modified, changed, mode, recordedAt,
        listMark, coalesce(checkedAt, finishedAt), wanted FROM task WHERE number BETWEEN ? AND ?
      """)
    rows.bind(1, range.lowerBound)
    rows.bind(2, range.upperBound)
    while try rows.step() { body(rows.integer(0), rows) }
  }

  /// Adds a row of `forEachTask`. The texts go from where SQLite has them to where they are kept.
  func add(
    _ row: Statement, queue: QueueName, intent: PublishedFile?, like entry: FileEntry? = nil, isAsWanted: Bool = false,
    to packer: inout TaskPacker
  ) {
    intent.withRecorded { intent in
      row.withBlob(11) { fingerprint in
        var draft = TaskDraft(
          id: TaskID(value: UInt64(bitPattern: row.integer(3))), state: TaskState(stored: row.integer(5)),
          priority: row.double(6), published: RecordedFile(row, from: 11, fingerprint: fingerprint), intent: intent,
          confirmedBytes: ByteCount(max(0, row.integer(7))),
          totalBytes: row.integerOrNull(8).map { ByteCount(max(0, $0)) }, listMark: row.integer(19),
          checkedAt: row.integerOrNull(20).map { Timestamp(nanoseconds: $0) })
        draft.isAsWanted = isAsWanted
        row.withText(1) { destination in
          row.withText(9) { url in
            row.withBlob(10) { checksums in
              let texts = TaskTexts(
                destination: destination, url: url, checksums: PackedDigests.readable(checksums))
              packer.append(draft, queue: queue, texts, entry: entry)
            }
          }
        }
      }
    }
  }

  func scopeNames() throws(StoreFailure) -> [Int64: Scope] {
    var scopes: [Int64: Scope] = [:]
    let rows = try connection.statement("SELECT number, name FROM scope")
    while try rows.step() { scopes[rows.integer(0)] = Scope(rows.text(1)) }
    return scopes
  }

  /// Few tasks have one: those that were being published when the last word was written.
  private func intents() throws(StoreFailure) -> [Int64: PublishedFile] {
    var intents: [Int64: PublishedFile] = [:]
    let rows = try connection.statement(
      "SELECT task, fingerprint, device, inode, size, modified, changed, mode, recordedAt FROM intent")
    while try rows.step() { intents[rows.integer(0)] = PublishedFile(rows, from: 1) }
    return intents
  }
}
