import CPosix
import DLSyncModel
import DLSyncSystem
import Glibc

/// An open folder that holds destinations. The descriptor is of the kind O_PATH: it needs no read permission, and a
/// folder that is renamed or replaced by a link meanwhile stays the same folder.
final class Folder: Sendable {
  let descriptor: Int32
  /// As the manifest names it, for messages.
  let path: String
  /// It and folders above it, as far as they were made just now.
  let made: [FolderIdentity]
  /// Whether there are such: then their own names must reach the device, too.
  var isNew: Bool { UnsettledFolders.containsAny(of: made) }

  init(descriptor: Int32, path: String, made: [FolderIdentity]) {
    self.descriptor = descriptor
    self.path = path
    self.made = made
  }

  deinit { close(descriptor) }

  /// The folder of a destination. Below the root of a relative destination no link may lead out of it; elsewhere links
  /// are followed. Missing folders are made on request, 0777 less the umask.
  ///
  /// `openRoot` may hand out a root that is open already.
  static func open(
    of destination: Destination, creating: Bool, openRoot: (String) throws(FolderTrouble) -> Folder
  ) throws(FolderTrouble) -> Folder {
    // Longer ones cannot be named by anybody in one call, even where descriptors would reach them.
    guard destination.path.utf8.count < Int(PATH_MAX) else { throw .nameTooLong }
    guard let root = destination.root else { return try open(absolute: destination.folder, creating: creating) }
    let relative = destination.relativePath.utf8
    guard let slash = relative.lastIndex(of: UInt8(ascii: "/")) else {
      return try openRoot(root)
    }
    let below = String(relative[..<slash])!
    let base: Folder
    do throws(FolderTrouble) { base = try openRoot(root) } catch {
      guard case .absent(let nearest, let rest) = error else { throw error }
      // No file system of Linux has longer names, and none is there yet to say so.
      if below.pathComponents.contains(where: { $0.utf8.count > 255 }) { throw .nameTooLong }
      throw .absent(below: nearest, rest: rest + "/" + below)
    }
    return try FolderWalk(root: base, path: below).open(creating: creating)
  }

  static func open(of destination: Destination, creating: Bool) throws(FolderTrouble) -> Folder {
    try open(of: destination, creating: creating) { root throws(FolderTrouble) in
      try open(absolute: root, creating: creating)
    }
  }

  static func open(absolute path: String, creating: Bool) throws(FolderTrouble) -> Folder {
    try FolderWalk(root: nil, path: path).open(creating: creating)
  }

  /// Whether this machine's clock alone stamps the files in it: ext4, XFS, Btrfs, tmpfs (linux/magic.h), no file system of
  /// a network or of another program.
  var stampsWithThisClock: Bool {
    [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994].contains(dl_fstatfs_type(descriptor))
  }

  /// Its own name, and those above it, have reached the device.
  func settle() { UnsettledFolders.remove(made) }

  /// Whether it still has a name: a removed folder takes no new files.
  var isLinked: Bool { (try? status(descriptor)).map { $0.st_nlink > 0 } ?? false }

  /// Whether this user may make files in it, as far as the system says so beforehand.
  var isWritable: Bool { uninterrupted { faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) } == 0 }

  /// Makes the names in the folder durable.
  func flush() throws(SystemTrouble) {
    let readable = uninterrupted { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard readable >= 0 else { throw .last }
    defer { close(readable) }
    if uninterrupted({ fsync(readable) }) != 0 { throw .last }
  }
}
