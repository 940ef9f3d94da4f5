import DLSyncModel
import DLSyncSystem
import Glibc

/// Why the folder of a destination could not be had.
enum FolderTrouble: Error, Equatable {
  /// It, or a folder on the way, is not there; which one is, and what is missing from there on, without a slash at the ends.
  case absent(below: FolderIdentity, rest: String)
  /// The thing at this path is in the way.
  case noFolder(String)
  /// The link at this path leads out of the root.
  case leavesRoot(String)
  case nameTooLong
  /// Another refusal of the system, and at which path.
  case system(SystemTrouble, String)

  /// The same as a survey says it.
  var observation: Observation {
    switch self {
    case .absent: .absent
    case .noFolder(let path): .parentIsNoFolder(path)
    case .leavesRoot(let path): .leavesRoot(path)
    case .nameTooLong: .nameTooLong
    case .system(let trouble, _): .inaccessible(trouble.text)
    }
  }

  /// The same as the error of a file that was to be put there.
  func error(for destination: Destination) -> DLSyncError {
    switch self {
    case .absent: SystemFailure.error(SystemTrouble(ENOENT), "could not open the folder", destination.folder)
    case .noFolder(let path):
      DLSyncError(
        .destinationInvalid, "could not publish \"\(destination)\": \"\(path)\" is in the way and is not a folder",
        hint: "move it away or choose another destination")
    case .leavesRoot(let path):
      DLSyncError(
        .destinationInvalid,
        "could not publish \"\(destination)\": the symbolic link \"\(path)\" leads out of the root \"\(destination.root ?? "/")\"",
        hint: "write the destination as an absolute path if that is meant")
    case .nameTooLong: SystemFailure.error(SystemTrouble(ENAMETOOLONG), "could not publish", destination.path)
    case .system(let trouble, let path): SystemFailure.error(trouble, "could not open the folder", path)
    }
  }
}

/// What makes a folder the same folder under another path.
struct FolderIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  /// Of an open folder.
  init(_ descriptor: Int32) throws(SystemTrouble) { self.init(try status(descriptor)) }

  init(_ found: stat) {
    device = UInt64(found.st_dev)
    inode = UInt64(found.st_ino)
  }
}
