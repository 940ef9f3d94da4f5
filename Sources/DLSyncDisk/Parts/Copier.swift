import CPosix
package import DLSyncModel
import DLSyncSystem
package import DLSyncThreading
import Glibc

/// Copies a file that is here already into a part file: blocks are shared where the file system can, else the kernel
/// copies, else this process does.
package enum Copier {
  /// Copies all bytes; `part.finish` then tells their digests, read from the copy. The source must be the file of that
  /// identity before and after, else `destinationModified`. `cancel` ends it early (`canceled`). Blocks. Returns the length.
  package static func copy(
    from source: Destination, identity: FileIdentity, into part: PartFile, cancel: CancelToken? = nil
  ) throws(DLSyncError) -> ByteCount {
    let path = part.destination.path
    try copy(from: source, identity: identity, to: path, cancel: cancel) { write throws(SystemTrouble) in
      try part.body.use { target throws(SystemTrouble) in try write(target) }
    }
    part.noteCopied(length: identity.size)
    return ByteCount(identity.size)
  }

  /// The same into any file: `body` is handed what writes into a descriptor. `target` names it, for messages.
  static func copy(
    from source: Destination, identity: FileIdentity, to target: String, cancel: CancelToken?,
    _ body: ((Int32) throws(SystemTrouble) -> Void) throws(SystemTrouble) -> Void
  ) throws(DLSyncError) {
    let descriptor = try open(source)
    defer { close(descriptor) }
    try check(descriptor, source, identity)
    do throws(SystemTrouble) {
      try body { target throws(SystemTrouble) in try copyBytes(descriptor, target, identity.size, cancel) }
    } catch {
      if error.number == ECANCELED { throw DLSyncError(.canceled, "the copy of \"\(source)\" was given up") }
      throw SystemFailure.error(error, "could not copy \"\(source)\" to", target)
    }
    try check(descriptor, source, identity)
  }

  private static func open(_ source: Destination) throws(DLSyncError) -> Int32 {
    do throws(SystemTrouble) { return try openRegularFile(source) } catch {
      throw SystemFailure.error(error, "could not read", source.path)
    }
  }

  private static func check(_ descriptor: Int32, _ source: Destination, _ identity: FileIdentity) throws(DLSyncError) {
    if let now = try? status(descriptor), FileIdentity(now).isUntouched(since: identity) { return }
    throw DLSyncError(.destinationModified, "could not copy \"\(source)\": it was changed meanwhile")
  }

  /// What the kernel copies in one call, which nothing ends early.
  private static let step: Int64 = 64 << 20

  private static func copyBytes(
    _ from: Int32, _ to: Int32, _ length: Int64, _ cancel: CancelToken?
  ) throws(SystemTrouble) {
    if length == 0 || dl_ioctl_ficlone(to, from) == 0 { return }
    var done: Int64 = 0
    while done < length {
      if cancel?.isCancelled == true { throw SystemTrouble(ECANCELED) }
      let count = uninterrupted { dl_copy_file_range(from, to, done, UInt64(min(length - done, step))) }
      if count > 0 {
        done += count
      } else if count == 0 || [EXDEV, EINVAL, EOPNOTSUPP, ENOSYS, EPERM, EIO].contains(errno) {
        // Nothing at all: some file systems say that of files that have bytes, and of a shortened one reading says it too.
        return try copyByHand(from, to, done, length, cancel)
      } else {
        throw .last
      }
    }
  }

  private static func copyByHand(
    _ from: Int32, _ to: Int32, _ start: Int64, _ length: Int64, _ cancel: CancelToken?
  ) throws(SystemTrouble) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    var done = start
    while done < length {
      if cancel?.isCancelled == true { throw SystemTrouble(ECANCELED) }
      let count = try readFully(from, buffer, at: done)
      if count == 0 { throw SystemTrouble(ESTALE) }
      try writeFully(to, UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: done)
      done += Int64(count)
    }
  }
}

/// Opens a regular file at a destination for reading: never through a link, and never anything else.
func openRegularFile(_ destination: Destination) throws(SystemTrouble) -> Int32 {
  let folder: Folder
  do throws(FolderTrouble) { folder = try Folder.open(of: destination, creating: false) } catch {
    switch error {
    case .absent: throw SystemTrouble(ENOENT)
    case .noFolder: throw SystemTrouble(ENOTDIR)
    case .leavesRoot: throw SystemTrouble(EXDEV)
    case .nameTooLong: throw SystemTrouble(ENAMETOOLONG)
    case .system(let trouble, _): throw trouble
    }
  }
  return try openRegularFile(destination.name, in: folder.descriptor)
}

/// The same within an open folder.
func openRegularFile(_ name: String, in folder: Int32) throws(SystemTrouble) -> Int32 {
  // Some devices act when they are opened, so they are not; should one be swapped in, O_NONBLOCK keeps it from waiting.
  guard try status(folder, name).isRegularFile else { throw SystemTrouble(EINVAL) }
  let descriptor = uninterrupted { openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
  guard descriptor >= 0 else { throw .last }
  guard let opened = try? status(descriptor), opened.isRegularFile else {
    close(descriptor)
    throw SystemTrouble(EINVAL)
  }
  return descriptor
}
