import DLSyncModel
import DLSyncSystem
import Glibc

extension FileIdentity {
  init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: Self.nanoseconds(status.st_mtim), changed: Self.nanoseconds(status.st_ctim),
      mode: UInt16(status.st_mode & 0o7777))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    // Years beyond 2262 do not fit: such a file is taken for one of the last moment that does.
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return time.tv_sec < 0 ? .min : .max }
    let (sum, carry) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return carry ? .max : sum
  }
}

/// One file, whatever its names.
struct FileKey: Hashable {
  let device: UInt64
  let inode: UInt64

  init(_ identity: FileIdentity) { (device, inode) = (identity.device, identity.inode) }
}

extension stat {
  /// The type bits alone.
  var kind: mode_t { st_mode & S_IFMT }
  var isRegularFile: Bool { kind == S_IFREG }

  /// What a survey says of a thing with these attributes.
  var observation: Observation {
    switch kind {
    case S_IFREG: .file(FileIdentity(self))
    case S_IFLNK: .symbolicLink
    case S_IFDIR: .folder
    case S_IFIFO: .special("pipe")
    case S_IFSOCK: .special("socket")
    case S_IFCHR, S_IFBLK: .special("device")
    default: .special("special file")
    }
  }
}

extension Timestamp {
  /// The wall clock's present moment.
  static var now: Timestamp { Timestamp(nanoseconds: WallClock.nanoseconds) }
}
