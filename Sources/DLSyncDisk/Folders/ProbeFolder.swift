import DLSyncSystem
import Glibc

/// A hidden folder in which a file system is tried, locked as long as it is in use. What a killed process left of one goes
/// with the next.
struct ProbeFolder {
  private static let fileNames = ["a", "b", "c"]
  /// Somebody else may take a new one for an abandoned one in the moment before it is locked.
  private static let tries = 8

  private let path: String
  private let lock: Int32

  /// Makes one.
  init(in folder: String) throws(SystemTrouble) {
    for _ in 0..<Self.tries {
      let name = String(UInt32.random(in: .min ... .max), radix: 16)
      let path = "\(folder)/\(AliasFinder.probePrefix)\(getpid())-\(name)"
      if mkdir(path, 0o700) != 0 {
        guard errno == EEXIST else { throw .last }
      } else if let lock = Self.lock(path) {
        (self.path, self.lock) = (path, lock)
        return
      } else {
        rmdir(path)
      }
    }
    throw SystemTrouble(EEXIST)
  }

  /// The files that may be made in it.
  var files: [String] { Self.files(in: path) }

  func remove() {
    Self.empty(path)
    close(lock)
  }

  /// Takes away those that nobody has locked, with the files that are made in them. Whatever else is in one stays.
  static func removeAbandoned(in folder: String) {
    let descriptor = uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    for name in FolderNames.of(descriptor: descriptor, where: { $0.hasPrefix(AliasFinder.probePrefix) })
    where isAbandoned(name) {
      let path = "\(folder)/\(name)"
      guard let lock = lock(path) else { continue }
      empty(path)
      close(lock)
    }
  }

  /// Whether the process of that name is gone, or has its number only: locks need not hold everywhere.
  private static func isAbandoned(_ name: String) -> Bool {
    guard let process = Int32(name.dropFirst(AliasFinder.probePrefix.count).prefix { $0.isASCII && $0.isNumber })
    else { return false }
    return process == getpid() || kill(process, 0) != 0 && errno == ESRCH
  }

  /// The locked folder, or nil where it is somebody's, gone, or none.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = uninterrupted { open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    let isHeld = uninterrupted { flock(descriptor, LOCK_EX | LOCK_NB) } != 0 && errno == EWOULDBLOCK
    if !isHeld, let found = try? status(descriptor), found.st_uid == geteuid(), found.st_nlink > 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private static func files(in path: String) -> [String] { fileNames.map { "\(path)/\($0)" } }

  private static func empty(_ path: String) {
    for file in files(in: path) { unlink(file) }
    rmdir(path)
  }
}
