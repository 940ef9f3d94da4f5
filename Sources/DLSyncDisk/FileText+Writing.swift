package import DLSyncModel
import DLSyncSystem
import Glibc

extension FileText {
  /// Writes a file that is not there yet, 0666 less the umask. One that is there stays as it is: `destinationExists`.
  package static func create(_ path: String, _ bytes: [UInt8]) throws(DLSyncError) {
    let descriptor = uninterrupted { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666) }
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw SystemFailure.error(.last, "could not write", path) }
      throw DLSyncError(
        .destinationExists, "could not write \"\(path)\": it is there already",
        hint: "give another name, or move it away")
    }
    do throws(DLSyncError) { try fill(descriptor, path, bytes) } catch {
      unlink(path)
      throw error
    }
  }

  /// Writes a file in one step, as `AtomicFile` does.
  package static func replace(_ path: String, _ bytes: [UInt8]) throws(DLSyncError) {
    try writing(path) { () throws(SystemTrouble) in try AtomicFile.write(path, bytes: bytes) }
  }

  /// Throws what `replace` would throw where no file can be made, before work is done that it would lose.
  package static func probe(_ path: String) throws(DLSyncError) {
    try writing(path) { () throws(SystemTrouble) in try AtomicFile.probe(path) }
  }

  /// Writes everything, flushes and closes.
  private static func fill(_ descriptor: Int32, _ path: String, _ bytes: [UInt8]) throws(DLSyncError) {
    defer { close(descriptor) }
    try writing(path) { () throws(SystemTrouble) in try AtomicFile.fill(descriptor, bytes) }
  }

  /// Puts what the system says into words.
  private static func writing(_ path: String, _ body: () throws(SystemTrouble) -> Void) throws(DLSyncError) {
    do throws(SystemTrouble) { try body() } catch { throw SystemFailure.error(error, "could not write", path) }
  }
}
