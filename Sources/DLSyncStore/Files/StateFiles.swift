import DLSyncModel
import DLSyncThreading
import Glibc

/// The files of one state folder, seen from the file system. The database file is never opened here: closing it would drop
/// the locks that SQLite holds on it in this process (fcntl(2), "Advisory record locking").
struct StateFiles: Sendable {
  /// As the user named it.
  let folder: String

  var database: String { folder == "/" ? "/state.db" : folder + "/state.db" }

  /// What was seen of one file. Equal stamps mean that nobody wrote in between.
  struct Stamp: Equatable {
    let inode: UInt64
    let size: Int64
    let modified: Int64
    let changed: Int64
    let mode: UInt32
  }

  /// The database without a link in its path, which is where SQLite puts the log; nil when nothing is there.
  func resolvedDatabase() throws(StoreFailure) -> String? {
    guard let resolved = realpath(database, nil) else {
      guard errno != ENOENT else {
        // What a link leads to may come back: a disk that is not mounted.
        for path in [folder, database] where Self.isLinkToNothing(path) { throw Self.linkToNothing(path) }
        return nil
      }
      guard errno != ENOTDIR else { throw StoreFailure(.wrongKind, "\"\(folder)\" is not a folder") }
      throw StoreFailure(.system(errno: errno), "it cannot be looked at")
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    guard let stamp = Self.stamp(path) else { return nil }
    guard stamp.mode & S_IFMT == S_IFREG else { throw StoreFailure(.wrongKind, "it is not a file") }
    guard stamp.size > 0 else { throw StoreFailure(.damaged, "it is empty") }
    // SQLite takes what is shorter than the smallest page for an empty database, and so for none of ours.
    guard stamp.size >= 512 else { throw StoreFailure(.damaged, "it was cut to \(ByteCount(stamp.size))") }
    return path
  }

  static func stamp(_ path: String) -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
    return Stamp(
      inode: UInt64(status.st_ino), size: Int64(status.st_size), modified: nanoseconds(status.st_mtim),
      changed: nanoseconds(status.st_ctim), mode: status.st_mode)
  }

  /// Makes the folder and what is missing above it, for the user alone.
  func makeFolder() throws(StoreFailure) { try Self.makeFolder(folder) }

  private static func makeFolder(_ path: String) throws(StoreFailure) {
    if try make(path) { return }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      throw StoreFailure(.system(errno: ENOENT), "the folder cannot be made")
    }
    try makeFolder(String(path[..<slash]))
    guard try make(path) else { throw StoreFailure(.system(errno: ENOENT), "the folder cannot be made") }
  }

  /// Makes one folder, where it is not there yet. False where the one above it is missing.
  private static func make(_ path: String) throws(StoreFailure) -> Bool {
    if mkdir(path, 0o700) == 0 {
      chmod(path, 0o700)  // a umask may have taken bits of the owner's
      flushName(of: path)
      return true
    }
    switch errno {
    case ENOENT: return false
    case EEXIST:
      guard let stamp = stamp(path), stamp.mode & S_IFMT == S_IFDIR else {
        throw StoreFailure(.wrongKind, "\"\(path)\" is not a folder")
      }
      return true
    default: throw StoreFailure(.system(errno: errno), "the folder cannot be made")
    }
  }

  /// Makes the name of a new folder durable: with the folder everything would be lost that was ever recorded in it. Where its
  /// own folder cannot be read or flushed, nothing more can be done.
  private static func flushName(of path: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let above = open(slash == path.startIndex ? "/" : String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard above >= 0 else { return }
    fsync(above)
    close(above)
  }

  /// Takes the database and its companions from everybody but the owner.
  static func restrict(_ path: String) {
    for file in [path, path + "-wal", path + "-shm"] {
      if let stamp = stamp(file), stamp.mode & 0o077 != 0 { chmod(file, 0o600) }
    }
  }
}

extension StateFiles {
  /// Puts a new database in place, whole from its first moment on: a kill leaves none, and of several processes one makes
  /// it. Order: bytes, flushed, name, folder flushed.
  func create(_ image: [UInt8], patience: Duration) throws(StoreFailure) {
    let folder = open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw StoreFailure(.system(errno: errno), "the folder cannot be opened") }
    defer { close(folder) }
    try Self.lock(folder, patience)
    guard Self.stamp(database) == nil else { return }
    guard !Self.isLinkToNothing(database) else { throw Self.linkToNothing(database) }
    // The name is fixed: what a killed process left is written over, and the lock keeps others away.
    let draft = database + "-new"
    unlink(draft)
    do throws(StoreFailure) {
      try Self.write(image, draft)
      guard rename(draft, database) == 0, fsync(folder) == 0 else {
        throw StoreFailure(.system(errno: errno), "the database cannot be made")
      }
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Gives the database and its companions a common new name that nothing has: SQLite finds them together there too.
  func setAside(patience: Duration) throws(StoreFailure) -> [String] {
    let folder = open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      if errno == ENOENT { return [] }
      throw StoreFailure(.system(errno: errno), "the folder cannot be opened")
    }
    defer { close(folder) }
    try Self.lock(folder, patience)
    let endings = ["", "-wal", "-shm", "-journal"]
    let number = (1...).first { number in endings.allSatisfy { !Self.exists("\(database).old-\(number)\($0)") } }!
    var names: [String] = []
    // The database goes last: while it is there, it has its log.
    for ending in endings.reversed() where Self.exists(database + ending) {
      let name = "\(database).old-\(number)\(ending)"
      guard rename(database + ending, name) == 0 else {
        throw StoreFailure(.system(errno: errno), "it cannot be moved aside")
      }
      names.append(name)
    }
    fsync(folder)
    return names.reversed()
  }

  private static func isLinkToNothing(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK && stat(path, &status) != 0
      && errno == ENOENT
  }

  private static func linkToNothing(_ path: String) -> StoreFailure {
    StoreFailure(.wrongKind, "\"\(path)\" is a link to nothing")
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws(StoreFailure) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreFailure(.system(errno: errno), "the database cannot be made") }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || (count < 0 && errno == EINTR) else {
        throw StoreFailure(.system(errno: errno), "the database cannot be written")
      }
      rest = rest.dropFirst(max(0, count))
    }
    guard fchmod(file, 0o600) == 0, fsync(file) == 0 else {
      throw StoreFailure(.system(errno: errno), "the database cannot be written")
    }
  }

  private static func lock(_ folder: Int32, _ patience: Duration) throws(StoreFailure) {
    let deadline = MonotonicInstant.now.advanced(by: patience.inNanoseconds)
    while flock(folder, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw StoreFailure(.system(errno: errno), "the folder cannot be locked")
      }
      guard MonotonicInstant.now < deadline else { throw StoreFailure(.locked, "another process holds the folder") }
      usleep(2000)
    }
  }
}
