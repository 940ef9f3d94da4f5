import CSQLite
import DLSyncModel
import DLSyncSystem
import Glibc

extension StoreFailure {
  /// The same for people: code, message with the path, hint.
  func words(_ files: StateFiles) -> DLSyncError {
    switch kind {
    case .tooNew(let version, let known):
      DLSyncError(
        .stateTooNew,
        "the state \"\(files.database)\" was written by a newer dlsync: its version is \(version), this one knows \(known)",
        hint: "use the newer dlsync, or another state folder (--state)")
    case .foreign:
      unusable(files, hint: "name another state folder (--state); dlsync state check tells more")
    case .damaged:
      unusable(files, hint: Self.repair)
    case .wrongKind:
      unusable(files, hint: "name another state folder (--state), or move that away")
    case .moved:
      unusable(files, hint: "put it back, or apply again: what is recorded of the last files is lost")
    case .locked:
      busy(files)
    case .system(let errno):
      systemError(files, errno)
    case .sqlite(let code, let errno):
      databaseError(files, code, errno)
    }
  }

  private static let repair =
    "dlsync state check says what is damaged; dlsync state rebuild makes a new state from files on disk and"
    + " manifests: name all of yours"

  private func databaseError(_ files: StateFiles, _ code: Int32, _ errno: Int32) -> DLSyncError {
    switch code & 0xff {
    case SQLITE_FULL: full(files, ENOSPC)
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: busy(files)
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH:
      unusable(files, hint: Self.repair)
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_IOERR:
      if Self.full.contains(errno) { full(files, errno) } else { unwritable(files, errno) }
    case SQLITE_NOMEM: unusable(files, hint: nil)
    default:
      DLSyncError(
        .internal, "the state \"\(files.database)\" refused a record: \(text)",
        hint: "this is a fault of dlsync; dlsync state check tells more", .init(underlying: "SQLite \(code): \(text)"))
    }
  }

  private func systemError(_ files: StateFiles, _ errno: Int32) -> DLSyncError {
    Self.full.contains(errno) ? full(files, errno) : unwritable(files, errno)
  }

  // EFBIG: the process may not write files of that size (ulimit -f).
  private static let full: Set<Int32> = [ENOSPC, EDQUOT, EFBIG]

  private func full(_ files: StateFiles, _ errno: Int32) -> DLSyncError {
    var details = DLSyncError.Details(underlying: text)
    details.isOfRecord = true
    return DLSyncError(
      .diskFull, "the state \"\(files.database)\" could not be written: \(Self.text(of: errno))",
      hint: "free space there, or name a state folder on another disk (--state)", details)
  }

  private func busy(_ files: StateFiles) -> DLSyncError {
    DLSyncError(
      .stateLocked, "the state \"\(files.database)\" is held by another process",
      hint: "wait until it is done, then run the same command again", .init(underlying: text))
  }

  private func unusable(_ files: StateFiles, hint: String?) -> DLSyncError {
    DLSyncError(.stateUnavailable, "the state \"\(files.database)\" cannot be used: \(text)", hint: hint)
  }

  private func unwritable(_ files: StateFiles, _ errno: Int32) -> DLSyncError {
    let why = errno == 0 ? text : "\(text): \(Self.text(of: errno))"
    return DLSyncError(
      .stateUnavailable, "the state \"\(files.database)\" cannot be used: \(why)", hint: Self.remedy(of: errno))
  }

  private static func remedy(of errno: Int32) -> String? {
    switch errno {
    case EMFILE, ENFILE: SystemTrouble.tooManyFilesHint
    case EIO: nil
    default: "make the folder writable, or name another one (--state)"
    }
  }

  private static func text(of errno: Int32) -> String { SystemTrouble(errno).text }
}
