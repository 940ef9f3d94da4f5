import DLSyncTestSupport
import Glibc

/// A small file system in memory, mounted for one test; needs the right to mount.
final class SmallDisk {
  let path: String

  /// Nil where it cannot be mounted.
  init?(_ path: String, _ size: String) {
    self.path = path
    mkdir(path, 0o700)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(size),mode=0700") == 0 else { return nil }
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  func resize(_ size: String) -> Bool { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(size)") == 0 }

  /// Lets nothing be written any more, or again.
  func setReadOnly(_ isReadOnly: Bool) -> Bool {
    mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0), "") == 0
  }

  /// Whether this process may mount.
  static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return SmallDisk(folder("disk"), "64k") != nil
  }()
}
