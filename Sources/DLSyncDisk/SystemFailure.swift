import DLSyncModel
import DLSyncSystem
import Glibc

/// Turns what the system says (errno) into an error that names the path and the reason.
enum SystemFailure {
  /// `action` is the beginning of the sentence: `could not write to`.
  static func error(_ trouble: SystemTrouble, _ action: String, _ path: String) -> DLSyncError {
    let (code, reason, hint) = judge(trouble, path)
    // Others close theirs again.
    let mayPass = trouble.isTooManyFiles ? true : nil
    return DLSyncError(
      code, "\(action) \"\(path)\": \(reason)", hint: hint, .init(isRetryable: mayPass, underlying: trouble.record))
  }

  private static let elsewhere = "move it away, or choose another path"

  private static func judge(_ trouble: SystemTrouble, _ path: String) -> (ErrorCode, String, String?) {
    switch trouble.number {
    case ENOSPC:
      (.diskFull, "no space left on the file system of \"\(path)\"", "make room there, then apply again")
    case EDQUOT:
      (
        .diskFull, "no space left for this user (quota) on the file system of \"\(path)\"",
        "make room there or raise the quota, then apply again"
      )
    case EFBIG:
      (
        .diskFull, "the file would exceed the size limit of this process or of its file system",
        "raise the limit (`ulimit -f`) or use another file system"
      )
    case EACCES, EPERM: (.permissionDenied, "permission denied", "check owner and mode of the file and of its folders")
    case EROFS: (.permissionDenied, trouble.text, "choose a folder on another file system")
    case ENAMETOOLONG:
      (
        .destinationInvalid, "the name is longer than the file system allows (usually 255 bytes a name, 4096 a path)",
        "choose a shorter one"
      )
    case EISDIR: (.destinationInvalid, "a folder is there", elsewhere)
    case ENOTDIR: (.destinationInvalid, trouble.text, elsewhere)
    case ELOOP: (.destinationInvalid, "a symbolic link is in the way", elsewhere)
    case EXDEV: (.destinationInvalid, "the path leaves its root", elsewhere)
    case EMFILE, ENFILE: (.fileSystem, trouble.text, SystemTrouble.tooManyFilesHint)
    default: (.fileSystem, trouble.text, nil)
    }
  }
}
