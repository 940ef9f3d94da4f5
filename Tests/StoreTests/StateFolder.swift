import DLSyncModel
import DLSyncTestSupport
import Glibc

@testable import DLSyncStore

/// A state folder of its own below the system's temporary folder, removed at the end.
final class StateFolder: Sendable {
  private let place: TemporaryFolder
  var base: String { place.path }
  var path: String { base + "/state" }
  var database: String { path + "/state.db" }

  init() {
    guard let place = try? TemporaryFolder("store") else { preconditionFailure("no temporary folder: errno \(errno)") }
    self.place = place
  }

  static func names(in folder: String) -> [String] {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [] }
    return FileBytes.names(in: folder).sorted()
  }

  /// One file: its bytes and what else of it a change would show in. Not the time of the last change of attributes:
  /// SQLite gives the log to the database's owner whenever root opens it.
  struct Snapshot: Equatable {
    let bytes: [UInt8]
    let stamp: StateFiles.Stamp

    static func == (left: Self, right: Self) -> Bool {
      left.bytes == right.bytes && left.stamp.inode == right.stamp.inode && left.stamp.mode == right.stamp.mode
        && left.stamp.modified == right.stamp.modified
    }
  }

  /// The names of files that came, went or changed.
  func changes(since before: [String: Snapshot]) -> [String] {
    let now = files
    return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
  }

  /// Every file of the state folder.
  var files: [String: Snapshot] {
    var files: [String: Snapshot] = [:]
    for name in Self.names(in: path) {
      let file = path + "/" + name
      guard let stamp = StateFiles.stamp(file) else { continue }
      files[name] = Snapshot(bytes: stamp.mode & S_IFMT == S_IFREG ? Self.read(file) : [], stamp: stamp)
    }
    return files
  }

  /// The bytes of a file, read by another process: closing the file in this one would drop the locks that SQLite holds.
  static func read(_ path: String) -> [UInt8] {
    guard let stream = popen("cat '\(path)'", "r") else { return [] }
    defer { pclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer.prefix(count) }
    return bytes
  }

  static func write(_ bytes: [UInt8], _ path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func open(_ access: Store.Access = .write, patience: Duration = .seconds(20)) async throws -> Store {
    guard let store = try await Store.open(folder: path, access: access, patience: patience) else {
      throw DLSyncError(.stateUnavailable, "nothing was recorded")
    }
    return store
  }

  /// Runs statements on the database as another program would, and leaves no log behind.
  func sql(_ statements: String...) throws {
    let connection = try Connection(database, .readWrite, patience: .seconds(5))
    for statement in statements { try connection.execute(statement) }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Removes the log and its index, as a program does that closes the database last.
  func dropLog() throws {
    try sql("SELECT count(*) FROM sqlite_schema")
    unlink(database + "-wal")
    unlink(database + "-shm")
  }
}
