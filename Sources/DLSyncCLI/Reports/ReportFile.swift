import DLSyncModel
import DLSyncThreading
import Glibc

/// A file that is there whole or not at all: written under a name beside its own, flushed, then renamed.
enum ReportFile {
  /// Writes a file, in place of what has the name. Throws what the system says.
  static func write(_ path: String, _ body: (OutputChannel) -> Void) throws(SystemTrouble) {
    var attributes = stat()
    let exists = stat(path, &attributes) == 0
    // A pipe or a device is not replaced but written to.
    guard !exists || attributes.st_mode & S_IFMT == S_IFREG else {
      try writeInPlace(path, body)
      return
    }
    // The file that a link leads to is replaced, not the link.
    let target = exists ? resolved(path) : path
    let temporary = "\(target).\(getpid()).tmp"
    do throws(SystemTrouble) {
      try writeAnew(temporary, mode: exists ? attributes.st_mode & 0o7777 : nil, body)
      guard rename(temporary, target) == 0 else { throw SystemTrouble(errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func writeAnew(
    _ path: String, mode: mode_t?, _ body: (OutputChannel) -> Void
  ) throws(SystemTrouble) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(path, flags, 0o666)
    // Left by a process that was killed and whose number came again.
    if descriptor < 0, errno == EEXIST, unlink(path) == 0 { descriptor = open(path, flags, 0o666) }
    guard descriptor >= 0 else { throw SystemTrouble(errno) }
    defer { close(descriptor) }
    if let mode, fchmod(descriptor, mode) != 0 { throw SystemTrouble(errno) }
    try fill(descriptor, body)
    guard fsync(descriptor) == 0 else { throw SystemTrouble(errno) }
  }

  private static func writeInPlace(_ path: String, _ body: (OutputChannel) -> Void) throws(SystemTrouble) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw SystemTrouble(errno) }
    defer { close(descriptor) }
    try fill(descriptor, body)
  }

  private static func fill(_ descriptor: Int32, _ body: (OutputChannel) -> Void) throws(SystemTrouble) {
    let channel = OutputChannel(descriptor: descriptor)
    body(channel)
    channel.flush()
    if let number = channel.failure { throw SystemTrouble(number) }
  }

  private static func resolved(_ path: String) -> String {
    guard let text = realpath(path, nil) else { return path }
    defer { free(text) }
    return String(cString: text)
  }
}

/// What the system says about a call that failed.
struct SystemTrouble: Error, Hashable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// `permission denied`.
  var text: String { SystemText.of(number) }
}
