import CPosix
import DLSyncModel
import DLSyncSystem
import Glibc

/// How a part file comes to belong to this process alone.
enum PartClaim {
  /// The usual name of a task's partial data.
  static func name(_ id: TaskID) -> String { ".dlsync-\(id).part" }

  /// The name that is used when somebody else has the usual one.
  static func ownName(_ id: TaskID) -> String { ".dlsync-\(id).\(getpid()).part" }

  /// The task whose partial data bears a name, and whether it is the usual one; nil for any other file.
  static func task(ofName name: some StringProtocol) -> (id: TaskID, isUsual: Bool)? {
    guard name.hasPrefix(".dlsync-"), name.hasSuffix(".part") else { return nil }
    let middle = name.dropFirst(8).dropLast(5).split(separator: ".", omittingEmptySubsequences: false)
    guard let first = middle.first, let id = TaskID(first), middle.count <= 2 else { return nil }
    if middle.count == 2, middle[1].isEmpty || !middle[1].utf8.allSatisfy({ (48...57).contains($0) }) { return nil }
    return (id, middle.count == 1)
  }

  /// The file of that name, made or taken over, locked; nil when it is somebody else's or no file of ours.
  static func take(_ name: String, in folder: Folder, mode: mode_t) throws(SystemTrouble) -> Taken? {
    // Each turn of the loop means that another process made or removed the file in between.
    for _ in 0..<8 {
      let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
      let made = uninterrupted { openat(folder.descriptor, name, flags | O_CREAT | O_EXCL, mode) }
      if made >= 0 {
        switch try lockNew(made) {
        case .ours: return Taken(descriptor: made, size: 0, isNew: true)
        case .foreign: return nil
        case .gone: continue
        }
      }
      guard errno == EEXIST else { throw .last }
      switch try look(name, in: folder) {
      case .foreign: return nil
      case .gone: continue
      case .ours: break
      }
      let found = uninterrupted { openat(folder.descriptor, name, flags) }
      if found < 0 {
        if errno == ENOENT { continue }
        return nil
      }
      switch try lock(found, name, folder) {
      case .ours(let status): return Taken(descriptor: found, size: Int64(status.st_size), isNew: false)
      case .foreign: return nil
      case .gone: continue
      }
    }
    return nil
  }

  /// A part file that belongs to this process now.
  struct Taken {
    let descriptor: Int32
    /// Bytes that were there.
    let size: Int64
    let isNew: Bool
  }

  private enum Verdict {
    case ours(stat)
    case foreign
    case gone
  }

  /// What bears the name, before it is opened: pipes and devices never are.
  private static func look(_ name: String, in folder: Folder) throws(SystemTrouble) -> Verdict {
    let found: stat
    do throws(SystemTrouble) { found = try status(folder.descriptor, name) } catch {
      if error.number == ENOENT { return .gone }
      throw error
    }
    guard found.isRegularFile, found.st_uid == geteuid() else { return .foreign }
    guard found.st_nlink <= 1 else {
      // A published file under its second name (a crash between link and unlink): only the name is ours to take away.
      if unlinkat(folder.descriptor, name, 0) != 0, errno != ENOENT { throw .last }
      return .gone
    }
    return .ours(found)
  }

  /// Locks a file that was made just now. Whoever opens it from now on finds it in use, so only the moment before counts.
  private static func lockNew(_ descriptor: Int32) throws(SystemTrouble) -> Verdict {
    let isLocked = uninterrupted { flock(descriptor, LOCK_EX | LOCK_NB) } == 0 || errno != EWOULDBLOCK
    let mine = try? status(descriptor)
    if isLocked, let mine, mine.st_nlink == 1 { return .ours(mine) }
    close(descriptor)
    return isLocked ? .gone : .foreign
  }

  /// Locks an open file; closes it unless it is ours.
  private static func lock(_ descriptor: Int32, _ name: String, _ folder: Folder) throws(SystemTrouble) -> Verdict {
    let verdict = try isAlone(descriptor) ? confirm(descriptor, name, folder) : .foreign
    if case .ours = verdict { return verdict }
    close(descriptor)
    return verdict
  }

  /// Whether no other process uses the file. Locks may be missing or may not hold (network file systems); where the kernel
  /// gives leases it also tells whether another descriptor is open.
  static func isAlone(_ descriptor: Int32) throws(SystemTrouble) -> Bool {
    if uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0, errno == EWOULDBLOCK { return false }
    // A child of this process that was forked and has not begun its program yet has every file open for a moment.
    // On a busy machine that moment is long.
    for _ in 0..<50 {
      if dl_fcntl_lease(descriptor) == 0 || errno != EAGAIN { return true }
      usleep(4000)
    }
    return false
  }

  /// The lock was had, but perhaps on a file that lost its name before.
  private static func confirm(_ descriptor: Int32, _ name: String, _ folder: Folder) throws(SystemTrouble) -> Verdict {
    let mine = try status(descriptor)
    guard mine.isRegularFile, mine.st_nlink == 1, let named = try? status(folder.descriptor, name),
      named.st_ino == mine.st_ino, named.st_dev == mine.st_dev
    else { return .gone }
    return .ours(mine)
  }
}
