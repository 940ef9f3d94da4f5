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
    let deadline = MonotonicInstant.now.advanced(by: patience.inNanoseconds)
    while true {
      do throws(StoreFailure) {
        return try attempt()
      } catch {
        guard error.isPassing, MonotonicInstant.now < deadline else { throw error }
        usleep(5000)
      }
    }
  }

  private func attempt() throws(StoreFailure) -> Connection {
    guard let path = try files.resolvedDatabase() else { throw StoreFailure(.system(errno: ENOENT), "it is gone") }
    StateFiles.restrict(path)
    let connection = try Connection(path, .readWrite, patience: patience)
    guard !connection.isReadOnly else {
      throw StoreFailure(.sqlite(SQLITE_READONLY, errno: 0), "it can only be read")
    }
    // FULL: a commit is on the disk when it returns, whatever happens to the machine.
    try connection.execute(
      """
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -65536;
      PRAGMA mmap_size = 1073741824;
      PRAGMA journal_size_limit = 4194304;
      """)
    try migrate(connection)
    _ = try connection.integer("PRAGMA journal_mode = WAL")
    connection.keepLog()
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
