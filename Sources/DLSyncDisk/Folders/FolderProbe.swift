import CPosix
import DLSyncModel
import DLSyncSystem
import Glibc

/// What a folder's file system can do, tried with files of a hidden folder that is gone afterwards.
package struct FolderProbe: Sendable {
  /// Why no file can be made there; nothing else was tried then.
  package private(set) var trouble: String?
  /// A second lock of a file that is locked is refused to another process, and to this one.
  package private(set) var locksHold = false
  /// A rename can refuse to replace.
  package private(set) var renamesWithoutReplacing = false
  /// Two files can change their names in one step.
  package private(set) var exchanges = false
  /// A file can have two names.
  package private(set) var hasHardLinks = false
  /// Two files can share their blocks.
  package private(set) var sharesBlocks = false

  /// Whether a file can appear under its name without ever replacing another.
  package var publishesSafely: Bool { renamesWithoutReplacing || hasHardLinks }

  /// Tries all that in a folder that is there.
  package init(folder path: String) {
    ProbeFolder.removeAbandoned(in: path)
    let folder: ProbeFolder
    do throws(SystemTrouble) { folder = try ProbeFolder(in: path) } catch {
      trouble = error.text
      return
    }
    defer { folder.remove() }
    let files = folder.files
    do throws(SystemTrouble) {
      try Self.make(files[0], "first")
      try Self.make(files[1], "second")
      locksHold = try Self.refusesSecondLock(files[0])
      sharesBlocks = try Self.clones(files[0], to: files[2])
      unlink(files[2])
      renamesWithoutReplacing = Self.keeps(files[1]) { dl_renameat2_noreplace(AT_FDCWD, files[0], AT_FDCWD, files[1]) }
      exchanges = dl_renameat2_exchange(AT_FDCWD, files[0], AT_FDCWD, files[1]) == 0
      hasHardLinks = Self.keeps(files[1]) { link(files[0], files[1]) } && link(files[0], files[2]) == 0
    } catch {
      trouble = error.text
    }
  }

  private static func make(_ path: String, _ text: String) throws(SystemTrouble) {
    let descriptor = try open(path, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard uninterrupted({ write(descriptor, bytes, bytes.count) }) == bytes.count, fsync(descriptor) == 0 else {
      throw .last
    }
  }

  private static func open(_ path: String, _ flags: Int32) throws(SystemTrouble) -> Int32 {
    let descriptor = uninterrupted { Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }

  /// Both kinds of lock that runs rely on: that of queues (fcntl) and that of part files (flock). They belong to the open
  /// file, so a second opening in this process is refused just as one in another.
  private static func refusesSecondLock(_ path: String) throws(SystemTrouble) -> Bool {
    let first = try open(path, O_RDWR)
    defer { close(first) }
    let second = try open(path, O_RDWR)
    defer { close(second) }
    guard dl_fcntl_lock(first) == 0, flock(first, LOCK_EX | LOCK_NB) == 0 else { return false }
    guard dl_fcntl_lock(second) != 0, flock(second, LOCK_EX | LOCK_NB) != 0 else { return false }
    return dl_locks_keep_out(path, 1) != 0
  }

  private static func clones(_ path: String, to other: String) throws(SystemTrouble) -> Bool {
    let source = try open(path, O_RDONLY)
    defer { close(source) }
    let target = try open(other, O_WRONLY | O_CREAT)
    defer { close(target) }
    return dl_ioctl_ficlone(target, source) == 0
  }

  /// Whether the call refuses because the name is taken.
  private static func keeps(_ path: String, _ call: () -> Int32) -> Bool { call() != 0 && errno == EEXIST }
}

/// The nearest folder above a path, or the path itself, that is there.
package func nearestFolder(of path: String) -> String {
  var path = path
  var result = stat()
  while path != "/", stat(path, &result) != 0 || result.st_mode & S_IFMT != S_IFDIR { path = path.parentPath }
  return path
}
