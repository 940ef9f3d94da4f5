import Glibc

/// A file that is there whole or not at all: written under a name beside its own that nothing has, flushed, then renamed.
package enum AtomicFile {
  /// Writes a file in place of what has the name: whoever reads it meanwhile finds the old one or the new one, also after a
  /// power failure. A link is followed, also to a file that is not there yet; the mode of a file that is there stays; a pipe
  /// or a device is not replaced but written to. `fill` writes to the descriptor that it gets, and leaves it open. Throws what
  /// the system says. Whoever is to read from a pipe is waited for until `isStopped`, which is ENXIO.
  package static func write(
    _ path: String, isStopped: () -> Bool = { false }, _ fill: (Int32) throws(SystemTrouble) -> Void
  ) throws(SystemTrouble) {
    var found = stat()
    let exists = stat(path, &found) == 0
    guard !exists || found.st_mode & S_IFMT == S_IFREG else {
      let isPipe = found.st_mode & S_IFMT == S_IFIFO
      return try writeInPlace(path, isStopped: isPipe ? isStopped : { true }, fill)
    }
    let target = try destination(of: path)
    let (descriptor, draft) = try openDraft(beside: target)
    do throws(SystemTrouble) {
      defer { close(descriptor) }
      if exists, fchmod(descriptor, found.st_mode & 0o7777) != 0 { throw .last }
      try fill(descriptor)
      try flush(descriptor)
      guard rename(draft, target) == 0 else { throw .last }
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// The same with these bytes.
  package static func write(_ path: String, bytes: [UInt8]) throws(SystemTrouble) {
    try write(path) { (descriptor) throws(SystemTrouble) in try put(bytes, descriptor) }
  }

  /// Throws what a `write` would fail with where no file can be made.
  package static func probe(_ path: String) throws(SystemTrouble) {
    let (descriptor, draft) = try openDraft(beside: destination(of: path))
    close(descriptor)
    unlink(draft)
  }

  /// Writes and flushes the bytes of a file that was just made.
  package static func fill(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemTrouble) {
    try put(bytes, descriptor)
    try flush(descriptor)
  }

  private static func put(_ bytes: [UInt8], _ descriptor: Int32) throws(SystemTrouble) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw .last }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// What cannot be flushed (EINVAL) is no disk.
  private static func flush(_ descriptor: Int32) throws(SystemTrouble) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last }
  }

  private static func writeInPlace(
    _ path: String, isStopped: () -> Bool, _ fill: (Int32) throws(SystemTrouble) -> Void
  ) throws(SystemTrouble) {
    var descriptor: Int32
    // A pipe without a reader would keep us in the system.
    while true {
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      guard descriptor < 0, errno == ENXIO, !isStopped() else { break }
      usleep(50_000)
    }
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    try fill(descriptor)
  }

  /// Makes a new file. Two processes never share one: what has the name already is somebody else's.
  private static func openDraft(beside target: String) throws(SystemTrouble) -> (descriptor: Int32, path: String) {
    for _ in 0..<100 {
      let path = "\(target).\(String(UInt32.random(in: 0 ... .max), radix: 36)).tmp"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, path) }
      guard errno == EEXIST || errno == EINTR else { throw .last }
    }
    throw SystemTrouble(EEXIST)
  }

  /// Where a path leads by way of links; the last of them need not lead to anything.
  private static func destination(of path: String) throws(SystemTrouble) -> String {
    var path = path
    // As many as the system follows itself (path_resolution(7)).
    for _ in 0..<40 {
      if let resolved = realpath(path, nil) {
        defer { free(resolved) }
        return String(cString: resolved)
      }
      guard errno == ENOENT else { throw .last }
      guard let link = linkText(path) else { return path }
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
      path = link.hasPrefix("/") ? link : folder + link
    }
    throw SystemTrouble(ELOOP)
  }

  private static func linkText(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      readlink(path, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
