import CSQLite
import DLSyncModel
import DLSyncThreading
import Glibc

/// Opens the database for reading and writing, at its last version.
struct WriteAccess: Sendable {
  private let files: StateFiles
  private let schema: Schema
  private let patience: Duration

  init(_ reader: ReadOnlyAccess) {
    files = reader.files
    schema = reader.schema
    patience = reader.patience
  }

  func open() throws(StoreFailure) -> Connection {
    do throws(StoreFailure) { return try persist() } catch {
      guard error.isSharedIndex, let path = try files.resolvedDatabase() else { throw error }
      return try IndexTurns.waiting(path) { () throws(StoreFailure) in try persist(patienceWithIndex: 2) }
    }
  }

  private func persist(patienceWithIndex: Double = 0) throws(StoreFailure) -> Connection {
    let began = MonotonicInstant.now
    while true {
      do throws(StoreFailure) {
        return try attempt()
      } catch {
        let waited = MonotonicInstant.now.seconds(since: began)
        let limit = error.isSharedIndex ? patienceWithIndex : error.isPassing ? patience.inSeconds : 0
        guard waited < limit else { throw error }
        usleep(error.isSharedIndex ? 500 : 5000)
      }
    }
  }

  private func attempt() throws(StoreFailure) -> Connection {
    guard let path = try files.resolvedDatabase() else { throw StoreFailure(.system(errno: ENOENT), "it is gone") }
    try LogHeader.check(path + "-wal")
    StateFiles.restrict(path)
    let connection = try Connection(path, .readWrite, patience: patience)
    guard !connection.isReadOnly else {
      let why = access(path, W_OK) == 0 ? 0 : errno
      throw StoreFailure(.system(errno: why), "it can only be read")
    }
    // secure_delete: header values of background tasks are gone when the task has ended.
    // FULL: a commit is on the disk when it returns, whatever happens to the machine.
    try connection.execute(
      """
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -65536;
      PRAGMA journal_size_limit = 4194304;
      """)
    try connection.mapBeginning()
    try migrate(connection)
    _ = try connection.integer("PRAGMA journal_mode = WAL")
    connection.keepLog()
    // All connections of a process share one log index: while another store of this process reads, it may be open for
    // reading only. That must show here, where it can be waited for.
    try connection.transaction(.write) {}
    return connection
  }

  private func migrate(_ connection: Connection) throws(StoreFailure) {
    guard try schema.verify(connection) < schema.version else { return }
    try connection.transaction(.write) { () throws(StoreFailure) in
      // Again, now that nobody else can be at it.
      let version = try schema.verify(connection)
      if version < schema.version { try schema.migrate(connection, from: version) }
    }
  }
}

extension StoreFailure {
  /// The database can be written but its log's index cannot.
  fileprivate var isSharedIndex: Bool {
    if case .sqlite(SQLITE_READONLY, _) = kind { true } else { false }
  }
}
