import CSQLite
import DLSyncModel

/// One connection to one database. Not thread-safe: whoever makes it keeps it on one thread.
final class Connection {
  /// How a file is opened.
  enum Mode {
    /// Reading and writing a file that exists.
    case readWrite
    /// Reading beside a log (`-wal`) and its index (`-shm`), both of which exist; neither is changed.
    case readShared
    /// Reading; SQLite may make the log's index.
    case readOnly
    /// Reading a file without a log, which nobody changes meanwhile: no lock is taken. The caller checks that.
    case readImmutable

    fileprivate var query: String {
      switch self {
      case .readWrite: "mode=rw"
      case .readShared: "mode=ro&readonly_shm=1"
      case .readOnly: "mode=ro"
      case .readImmutable: "mode=ro&immutable=1"
      }
    }

    fileprivate var flags: Int32 {
      (self == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | Self.common
    }

    // One thread owns the connection, so SQLite need not lock; extended codes tell a full disk from a broken one.
    fileprivate static let common = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
  }

  let handle: OpaquePointer
  // By the address of the text: statements are literals, and a lookup costs less than hashing one.
  private var statements: [UnsafePointer<UInt8>: Statement] = [:]
  private var isFlushing = true

  /// Opens a file by its absolute path. `patience` is how long a lock is waited for.
  convenience init(_ path: String, _ mode: Mode, patience: Duration) throws(StoreFailure) {
    try self.init(uri: "file://\(Self.escaped(path))?\(mode.query)", mode.flags)
    waitForLocks(patience)
  }

  /// How long locks are waited for from now on.
  func waitForLocks(_ patience: Duration) {
    let (seconds, attoseconds) = patience.components
    sqlite3_busy_timeout(handle, Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
  }

  /// A database in memory, empty.
  static func inMemory() throws(StoreFailure) -> Connection {
    try Connection(
      uri: "file::memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | Mode.common)
  }

  private init(uri: String, _ flags: Int32) throws(StoreFailure) {
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(uri, &opened, flags, nil)
    guard status == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw Self.failure(of: opened, status)
    }
    handle = opened
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// `?` and `#` would end the path within a URI, and `%` begins an escape.
  private static func escaped(_ path: String) -> String {
    path.escaped { character in
      switch character {
      case "%": "%25"
      case "?": "%3f"
      case "#": "%23"
      default: nil
      }
    }
  }

  /// The failure that the last call on a connection ended with.
  static func failure(of handle: OpaquePointer?, _ status: Int32) -> StoreFailure {
    let text = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(status))
    return StoreFailure(.sqlite(status, errno: handle.map(sqlite3_system_errno) ?? 0), text)
  }
}

extension Connection {
  /// Whether the file could only be opened for reading.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether the file has another name or none by now, so that nobody will find what is written to it.
  var hasMoved: Bool {
    var isGone: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isGone)
    return isGone != 0
  }

  /// Rows that the last statement inserted, changed or deleted.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// The row number that the last insertion got.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Keeps the log and its index when the last connection closes, so that readers find both and need not make them.
  func keepLog() {
    var isOn: Int32 = 1
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
  }

  /// Whether commits wait until they are on the disk.
  func flushes(_ isFlushing: Bool) throws(StoreFailure) {
    guard isFlushing != self.isFlushing else { return }
    try execute(isFlushing ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    self.isFlushing = isFlushing
  }

  /// Reads the file where the kernel has it, as far as that goes without a million tasks counting as memory of the process.
  func mapBeginning() throws(StoreFailure) { try execute("PRAGMA mmap_size = 67108864") }

  /// Runs statements that have neither parameters nor results of interest.
  func execute(_ sql: String) throws(StoreFailure) {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw Self.failure(of: handle, status) }
  }

  /// A statement, prepared once and kept; ready to be bound.
  func statement(_ sql: StaticString) throws(StoreFailure) -> Statement {
    if let known = statements[sql.utf8Start] { return known }
    let made = try Statement("\(sql)", on: self)
    statements[sql.utf8Start] = made
    return made
  }

  /// The first column of the first row as a number.
  func integer(_ sql: StaticString) throws(StoreFailure) -> Int64? {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }
}

extension Connection {
  enum Purpose: String { case read = "BEGIN", write = "BEGIN IMMEDIATE" }

  /// Runs the body in one transaction: all of it counts, or nothing does.
  func transaction<Result>(
    _ purpose: Purpose, _ body: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    try execute(purpose.rawValue)
    do throws(StoreFailure) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite has rolled back by itself after some errors; then there is nothing left to undo.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }
}

extension Connection {
  /// The whole database as the bytes of its file.
  func image() throws(StoreFailure) -> [UInt8] {
    var size: Int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else {
      throw StoreFailure(.sqlite(SQLITE_NOMEM, errno: 0), "the new database does not fit into memory")
    }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }

  /// A copy of the whole database in memory.
  func copyInMemory() throws(StoreFailure) -> Connection {
    let copy = try Connection.inMemory()
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw Self.failure(of: copy.handle, sqlite3_errcode(copy.handle))
    }
    let status = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard status == SQLITE_DONE, end == SQLITE_OK else { throw Self.failure(of: copy.handle, status) }
    return copy
  }
}
