import CSQLite
import DLSyncModel
import DLSyncThreading
import Glibc

/// Reads the database without making or changing any file, beside whoever writes.
///
/// Three situations, told apart by the files that lie there:
/// - a log and its index: both are read as they are, with the locks of a reader;
/// - no log, an empty one without its index, or the beginning of one that holds no frame yet (a kill between its header
///   and its first frame, where SQLite's readers of an index that nobody keeps would try for ten seconds): everything is
///   in the database. It is read without locks, and again when it turns out that somebody wrote meanwhile;
/// - a log without its index (a copied folder, a kill at an unlucky moment): only here SQLite makes the index.
struct ReadOnlyAccess: Sendable {
  let files: StateFiles
  let schema: Schema
  /// How long a lock is waited for.
  let patience: Duration

  /// What a reading relies on.
  private struct Sight: Equatable {
    let database: StateFiles.Stamp?
    let log: StateFiles.Stamp?
    let index: StateFiles.Stamp?
    let journal: StateFiles.Stamp?

    init(_ path: String) {
      database = StateFiles.stamp(path)
      log = StateFiles.stamp(path + "-wal")
      index = StateFiles.stamp(path + "-shm")
      journal = StateFiles.stamp(path + "-journal")
    }

    var mode: Connection.Mode {
      let (length, header) = (log?.size ?? 0, Int64(LogHeader.length))
      if log != nil, index != nil, length == 0 || length > header { return .readShared }
      return length <= header && (journal?.size ?? 0) == 0 ? .readImmutable : .readOnly
    }
  }

  /// Runs the body in one transaction of a connection that lives as long as it.
  func read<Result>(_ body: (Connection) throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
    try onFile { (connection, version) throws(StoreFailure) in
      guard version < schema.version else { return try body(connection) }
      // An older state is read as its migrated self, in memory; the file stays as it is.
      let copy = try connection.copyInMemory()
      try schema.migrate(copy, from: version)
      return try body(copy)
    }
  }

  /// The version that the file has.
  func version() throws(StoreFailure) -> Int64 {
    try onFile { (_, version) throws(StoreFailure) in version }
  }

  private func onFile<Result>(
    _ body: (Connection, Int64) throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    let began = MonotonicInstant.now
    while true {
      guard let path = try files.resolvedDatabase() else {
        throw StoreFailure(.system(errno: ENOENT), "it is gone")
      }
      try LogHeader.check(path + "-wal")
      IndexTurns.yield(path, atMost: 2)
      let sight = Sight(path)
      let waited = MonotonicInstant.now.seconds(since: began)
      // An index that stays unusable is left to SQLite, which may have to write it anew.
      let mode = waited > 1 && sight.mode == .readShared ? .readOnly : sight.mode
      do throws(StoreFailure) {
        let result = try attempt(path, mode, body)
        if mode != .readImmutable || Sight(path) == sight { return result }
        guard waited < patience.inSeconds else { throw StoreFailure(.locked, "its files change all the time") }
      } catch {
        let isPassing = error.isPassing || (mode != .readShared && Sight(path) != sight)
        guard isPassing, waited < patience.inSeconds else { throw error }
      }
      usleep(5000)
    }
  }

  private func attempt<Result>(
    _ path: String, _ mode: Connection.Mode, _ body: (Connection, Int64) throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    let connection = try Connection(path, mode, patience: patience)
    try connection.mapBeginning()
    return try connection.transaction(.read) { () throws(StoreFailure) in
      try body(connection, schema.verify(connection))
    }
  }
}

extension StoreFailure {
  /// Whether another process (or another connection of this one) that opens, recovers or closes the database at this
  /// moment may be the reason.
  var isPassing: Bool {
    guard case .sqlite(let code, _) = kind else { return false }
    switch code {
    case SQLITE_READONLY | (5 << 8), SQLITE_READONLY | (2 << 8), SQLITE_READONLY | (1 << 8): return true
    default: return [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].contains(code & 0xff)
    }
  }
}
