import DLSyncSystem
import Glibc

/// Folders that hold nothing but what this program put there for a short while.
package enum FolderTree {
  /// The folders directly below `folder` that ended processes left behind; `prefix` and the process id begin their names.
  package static func abandoned(in folder: String, prefix: String) -> [String] {
    names(of: folder).filter { name in
      guard name.hasPrefix(prefix),
        let process = Int32(name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber })
      else { return false }
      return process != getpid() && kill(process, 0) != 0 && errno == ESRCH
    }.map { "\(folder)/\($0)" }
  }

  /// Removes a folder and everything below it; links are removed and not followed. What cannot be removed stays.
  package static func remove(_ path: String) {
    for name in names(of: path) {
      let inner = "\(path)/\(name)"
      if unlink(inner) != 0, errno == EISDIR || errno == EPERM { remove(inner) }
    }
    rmdir(path)
  }

  /// Removes one file; one that is not there is no matter.
  package static func remove(file path: String) { unlink(path) }

  /// The number of this process, which names its folders.
  package static var process: Int32 { getpid() }

  private static func names(of folder: String) -> [String] {
    FolderNames.of(descriptor: uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) })
  }
}
