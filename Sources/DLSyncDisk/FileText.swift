package import DLSyncModel
import DLSyncSystem
package import DLSyncThreading
import Glibc

/// Files that are read whole: manifests and lists.
package enum FileText {
  /// The bytes of a regular file, a pipe or a terminal. A folder, a missing or unreadable file, or more bytes than `limit`
  /// is `usage`, with the path. Whoever writes to a pipe is waited for, until `cancel`, which is `interrupted`.
  package static func read(_ path: String, limit: Int, cancel: CancelToken? = nil) throws(DLSyncError) -> [UInt8] {
    // A pipe that nobody has opened for writing would keep us in the system.
    let patience = cancel == nil ? 0 : O_NONBLOCK
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | patience) }
    guard descriptor >= 0 else { throw failure(.last, path) }
    defer { close(descriptor) }
    return try read(descriptor, path, limit: limit, cancel: cancel)
  }

  /// Whether what is there has its bytes from somebody else, and only once: a pipe, a socket or a terminal.
  package static func isStream(_ path: String) -> Bool {
    var attributes = stat()
    guard stat(path, &attributes) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK, S_IFCHR].contains(attributes.st_mode & S_IFMT)
  }

  /// Whether it is one that lies in no folder, such as `/dev/fd/63` where a shell has put a pipe.
  package static func isUnnamedStream(_ path: String) -> Bool {
    guard isStream(path) else { return false }
    guard let resolved = realpath(path, nil) else { return true }
    free(resolved)
    return false
  }

  /// The same, but nil where there is no such file.
  package static func readIfPresent(_ path: String, limit: Int) throws(DLSyncError) -> [UInt8]? {
    let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(.last, path)
    }
    defer { close(descriptor) }
    return try read(descriptor, path, limit: limit)
  }

  /// The same for standard input.
  package static func readStandardInput(limit: Int) throws(DLSyncError) -> [UInt8] {
    try read(STDIN_FILENO, "standard input", limit: limit)
  }

  /// The absolute path without links, `.` and `..`. What cannot be resolved is `usage`.
  package static func canonicalPath(_ path: String) throws(DLSyncError) -> String {
    guard let resolved = realpath(path, nil) else {
      if errno == ENOENT, path == "." {
        throw DLSyncError(
          .usage, "could not use the working directory: it was removed", hint: "change to a folder that is there")
      }
      throw failure(.last, path)
    }
    defer { free(resolved) }
    guard let text = String(validatingCString: resolved) else {
      throw DLSyncError(.usage, "could not use \"\(path)\": its absolute path is not UTF-8")
    }
    return text
  }

  private static func read(
    _ descriptor: Int32, _ path: String, limit: Int, cancel: CancelToken? = nil
  ) throws(DLSyncError) -> [UInt8] {
    var bytes: [UInt8] = []
    let attributes: stat
    do throws(SystemTrouble) { attributes = try status(descriptor) } catch { throw failure(error, path) }
    if attributes.kind == S_IFDIR { throw failure(SystemTrouble(EISDIR), path) }
    // One byte more than the file has shows its end without growing.
    let expected = attributes.isRegularFile ? min(Int(attributes.st_size), limit) + 1 : 1 << 16
    while bytes.count <= limit {
      if let cancel, !attributes.isRegularFile { try waitForBytes(descriptor, cancel) }
      let space = max(expected - bytes.count, 1 << 16)
      var count = 0
      let more = [UInt8](unsafeUninitializedCapacity: space) { buffer, initialized in
        count = uninterrupted { Glibc.read(descriptor, buffer.baseAddress!, space) }
        initialized = max(0, count)
      }
      if count < 0 { throw failure(.last, path) }
      if count == 0 { return bytes }
      // Most files come with the first read.
      if bytes.isEmpty { bytes = more } else { bytes += more }
    }
    throw DLSyncError(.usage, "could not read \"\(path)\": it is larger than \(ByteCount(Int64(limit)))")
  }

  private static func waitForBytes(_ descriptor: Int32, _ cancel: CancelToken) throws(DLSyncError) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      if cancel.isCancelled { throw DLSyncError(.interrupted, "the run was stopped") }
    } while poll(&entry, 1, 100) <= 0
  }

  static func failure(_ trouble: SystemTrouble, _ path: String) -> DLSyncError {
    let reason =
      switch trouble.number {
      case ENOENT: "there is no such file"
      default: trouble.text
      }
    let hint = trouble.number == EACCES ? "check owner and mode of the file and of its folders" : nil
    return DLSyncError(
      .usage, "could not read \"\(path)\": \(reason)", hint: hint, .init(underlying: trouble.record))
  }
}
