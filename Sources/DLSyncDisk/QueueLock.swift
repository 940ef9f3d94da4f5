import CPosix
package import DLSyncModel
import DLSyncSystem
import DLSyncThreading
import Glibc

/// The right to run one queue, held by one process at a time; it ends with the process at the latest.
///
/// A file `NAME.lock` with the holder's process id, locked for the open file description: other descriptors of this process
/// do not disturb it, and asking whether it is held takes nothing. The file is never removed: two processes could hold locks
/// on two files of one name.
package final class QueueLock: Sendable {
  private let descriptor: SharedDescriptor

  private init(_ descriptor: Int32) { self.descriptor = SharedDescriptor(descriptor) }

  deinit { release() }

  /// Takes the lock without waiting. Held elsewhere: `stateLocked`, with the process; anything else: `stateUnavailable`.
  /// `queue` is what people know it by.
  package static func take(folder: String, name: String, queue: String? = nil) throws(DLSyncError) -> QueueLock {
    let path = folder + "/" + fileName(name)
    if mkdir(folder, 0o700) == 0 {
      chmod(folder, 0o700)  // a umask may have taken bits of the owner's
    } else if errno != EEXIST {
      throw unavailable(.last, path)
    }
    return try take(path) { locked(queue ?? name, by: $0) }
  }

  /// Takes the lock of every queue that ever ran there, and that of the agent, or none of them: afterwards nobody runs any.
  /// Held elsewhere: `stateLocked`, with the process.
  package static func takeAll(folder: String) throws(DLSyncError) -> [QueueLock] {
    guard let directory = try? Folder.open(absolute: folder, creating: false) else { return [] }
    var locks: [QueueLock] = []
    for file in names(in: directory, where: { $0.hasSuffix(".lock") }).sorted() {
      locks.append(try take(folder + "/" + file, busy))
    }
    return locks
  }

  /// `held` says that a process has it, which may not be known.
  private static func take(_ path: String, _ held: (Int32?) -> DLSyncError) throws(DLSyncError) -> QueueLock {
    let descriptor = uninterrupted { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600) }
    guard descriptor >= 0 else { throw unavailable(.last, path) }
    fchmod(descriptor, 0o600)
    let lock = QueueLock(descriptor)
    if uninterrupted({ dl_fcntl_lock(descriptor) }) != 0 {
      let trouble = SystemTrouble.last
      let holder = awaitNote(descriptor)
      lock.descriptor.close()
      guard trouble.number == EAGAIN || trouble.number == EACCES else { throw unavailable(trouble, path) }
      throw held(holder?.process)
    }
    // Where locks do not hold, the note of a process that still lives is all there is.
    if let other = LockHolder.read(descriptor), other.isAlive, other != LockHolder.current {
      lock.descriptor.close()
      throw held(other.process)
    }
    do throws(SystemTrouble) { try lock.write(LockHolder.current) } catch { throw unavailable(error, path) }
    try lock.prove(path)
    return lock
  }

  /// Whoever holds the lock may be about to write its note; the lock is held all the same.
  private static func awaitNote(_ descriptor: Int32) -> LockHolder? {
    for _ in 0..<50 {
      if let holder = LockHolder.read(descriptor) { return holder }
      usleep(2000)
    }
    return nil
  }

  /// File systems whose locks keep other processes out, by their device numbers.
  private static let proved = Locked<Set<UInt64>>([])

  /// Some file systems grant every lock to everybody: once for each, another process is made to ask for this one.
  private func prove(_ path: String) throws(DLSyncError) {
    let device = try? descriptor.use { descriptor throws(SystemTrouble) in UInt64(try status(descriptor).st_dev) }
    guard let device, !Self.proved.withLock({ $0.contains(device) }) else { return }
    // Where no other process can be had (a limit), nothing is known to be wrong.
    guard dl_locks_keep_out(path, 0) != 0 else {
      release()
      throw DLSyncError(
        .stateUnavailable,
        "locks do not hold on the file system of \"\(path)\": two processes at once would not know of each other",
        hint: "keep the state on a local file system: `--state DIR`; `dlsync doctor` tells what a file system gives")
    }
    _ = Self.proved.withLock { $0.insert(device) }
  }

  /// The process that runs the queue now, or nil. Makes no files and takes nothing.
  package static func holder(folder: String, name: String) -> Int32? {
    let path = folder + "/" + fileName(name)
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let note = LockHolder.read(descriptor)
    if dl_fcntl_is_locked(descriptor) == 1 { return note?.process }
    return note?.isAlive == true ? note?.process : nil
  }

  /// Whether the file of the lock's name is still the locked one. Where it was removed or replaced, another process can get
  /// the lock of the same name.
  package func isInPlace(folder: String, name: String) -> Bool {
    var present = stat()
    guard stat(folder + "/" + Self.fileName(name), &present) == 0 else { return false }
    let own = try? descriptor.use { descriptor throws(SystemTrouble) in try status(descriptor) }
    return own.map { $0.st_ino == present.st_ino && $0.st_dev == present.st_dev } ?? false
  }

  /// Gives the lock back. Any number of times.
  package func release() {
    // The note goes first: afterwards the file may be somebody else's.
    _ = try? descriptor.use { descriptor in ftruncate(descriptor, 0) }
    descriptor.close()
  }

  private func write(_ holder: LockHolder) throws(SystemTrouble) {
    let text = Array(holder.text.utf8)
    try descriptor.use { descriptor throws(SystemTrouble) in
      if uninterrupted({ ftruncate(descriptor, 0) }) != 0 { throw .last }
      var failure: SystemTrouble?
      text.withUnsafeBytes { bytes in
        do throws(SystemTrouble) { try writeFully(descriptor, bytes, at: 0) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  /// A name that any file system takes: other bytes than letters, digits, `-` and `_` as `%XX`, long ones by their hash.
  private static func fileName(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): text.unicodeScalars.append(.init(byte))
      default: text += "%" + Hex.encode([byte])
      }
    }
    if text.utf8.count > 200 {
      var hash = StableHash()
      hash.combine(name)
      text = String(text.prefix(150)) + "%" + String(hash.finish(), radix: 16)
    }
    return text + ".lock"
  }

  private static func locked(_ name: String, by process: Int32?) -> DLSyncError {
    let who = process.map { "process \($0)" } ?? "another process"
    return DLSyncError(
      .stateLocked, "could not run the queue \"\(name)\": \(who) runs it",
      hint: "wait for it to end, or let this command wait with `--lock-timeout`")
  }

  private static func busy(by process: Int32?) -> DLSyncError {
    let who = process.map { "process \($0)" } ?? "another process"
    return DLSyncError(
      .stateLocked, "\(who) is at work with this state",
      hint: "wait for its end, or stop it (`dlsync agent stop` where it is the agent), then run the same command again")
  }

  private static func unavailable(_ trouble: SystemTrouble, _ path: String) -> DLSyncError {
    DLSyncError(
      .stateUnavailable, "could not lock \"\(path)\": \(trouble.text)",
      hint: trouble.number == ENOLCK || trouble.number == EOPNOTSUPP
        ? "keep the state on a file system with locks: `--state DIR`"
        : "check the state folder, or use another: `--state DIR`",
      .init(underlying: trouble.record))
  }
}
