package import DLSyncModel
import DLSyncThreading

/// What earlier runs left to know: scopes, queues, tasks. One folder, one SQLite database, any number of processes.
///
/// The actor owns the one connection and runs on a thread of its own. It reads without changing a file and opens for
/// writing only when there is something to write, so that a run which finds everything done leaves the state untouched,
/// and a damaged or newer state stays byte for byte as it is. Every error names the database.
package actor Store {
  /// What a store is opened for.
  package enum Access: Sendable { case read, write }

  private let executor: ThreadExecutor
  private let reader: ReadOnlyAccess
  private let access: Access
  private var writer: Connection?
  let shown = ShownHeaders()
  /// Files that were published since fingerprints were entered in their index.
  var unfiled = 0
  /// The line of the log that told the beginning of the run that uses this store.
  package internal(set) var run: Int64?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The database's path, for people.
  package nonisolated var path: String { reader.files.database }

  /// Opens the state of a folder. Nil when `access` is `.read` and nothing was ever recorded there; `.write` makes the
  /// folder (0700) and the database (0600). Locks are waited for as long as `patience`.
  ///
  /// Errors: `stateTooNew`, `stateUnavailable`, `stateLocked`, `diskFull`.
  package static func open(
    folder: String, access: Access, patience: Duration = .seconds(20)
  ) async throws(DLSyncError) -> Store? {
    try await open(folder: folder, access: access, patience: patience, schema: .current)
  }

  static func open(
    folder: String, access: Access, patience: Duration = .seconds(20), schema: Schema
  ) async throws(DLSyncError) -> Store? {
    let files = StateFiles(folder: folder)
    if access == .read {
      do throws(StoreFailure) {
        guard try files.resolvedDatabase() != nil else { return nil }
      } catch { throw error.words(files) }
    }
    let store = Store(ReadOnlyAccess(files: files, schema: schema, patience: patience), access)
    try await store.prepare()
    return store
  }

  private init(_ reader: ReadOnlyAccess, _ access: Access) {
    executor = ThreadExecutor(name: "dlsync-store")
    self.reader = reader
    self.access = access
  }

  deinit { executor.stop() }

  /// Gives the connection back. A later call opens it again.
  package func close() { writer = nil }

  /// Makes what is missing, and looks at what is there before anything may change it.
  private func prepare() throws(DLSyncError) {
    let version = try putting { () throws(StoreFailure) -> Int64 in
      if access == .write, try reader.files.resolvedDatabase() == nil {
        try reader.files.makeFolder()
        try reader.files.create(reader.schema.emptyImage(), patience: reader.patience)
      }
      return try reader.version()
    }
    if access == .write, version < reader.schema.version { _ = try connection() }
  }
}

extension Store {
  /// Runs a reading body in one transaction.
  func reading<Result>(
    _ body: (Connection) throws(StoreFailure) -> Result
  ) throws(DLSyncError) -> Result {
    try putting { () throws(StoreFailure) in
      guard let writer else { return try reader.read(body) }
      return try writer.transaction(.read) { () throws(StoreFailure) in try body(writer) }
    }
  }

  /// Runs a writing body in one transaction, durable when this returns; unless `isDurable` says otherwise: then a loss of
  /// power may undo it, as a whole and with what came after it, until the next durable one.
  func writing<Result>(
    isDurable: Bool = true, _ body: (Connection) throws(StoreFailure) -> Result
  ) throws(DLSyncError) -> Result {
    let connection = try connection()
    return try putting { () throws(StoreFailure) in
      try connection.flushes(isDurable)
      let result = try connection.transaction(.write) { () throws(StoreFailure) in try body(connection) }
      guard !isDurable || !connection.hasMoved else {
        throw StoreFailure(.moved, "it was moved or removed while it was in use")
      }
      return result
    }
  }

  /// A number that changes when another connection writes (`PRAGMA data_version`): a memory access, no file is read.
  func dataVersion() throws(DLSyncError) -> Int64 {
    let connection = try connection()
    return try putting { () throws(StoreFailure) in try connection.integer("PRAGMA data_version") ?? 0 }
  }

  /// Whether the log could be emptied. A reader that holds an old view keeps it from that: nobody waits for one, because
  /// whoever does so keeps all writers waiting meanwhile.
  func checkpoint() throws(DLSyncError) -> Bool {
    let connection = try connection()
    return try putting { () throws(StoreFailure) in
      connection.waitForLocks(.zero)
      defer { connection.waitForLocks(reader.patience) }
      do throws(StoreFailure) {
        return try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
      } catch {
        guard error.isPassing else { throw error }
        return false
      }
    }
  }

  private func connection() throws(DLSyncError) -> Connection {
    precondition(access == .write, "the store was opened for reading")
    if let writer { return writer }
    let opened = try putting { () throws(StoreFailure) in try WriteAccess(reader).open() }
    writer = opened
    return opened
  }

  /// Puts failures into words.
  private func putting<Result>(_ body: () throws(StoreFailure) -> Result) throws(DLSyncError) -> Result {
    do throws(StoreFailure) { return try body() } catch { throw error.words(reader.files) }
  }
}
