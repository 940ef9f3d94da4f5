internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncSystem
internal import Glibc

/// Where the agent of a state folder is to be found.
struct AgentPlace: Sendable {
  let stateFolder: String

  private static let lockName = "agent"

  private var runFolder: String { stateFolder + "/run" }

  /// What the agent prints.
  var log: String { runFolder + "/agent.log" }

  /// There while nobody wants an agent: `agent stop` makes it, `agent start` and the next apply remove it.
  private var mark: String { runFolder + "/agent.stopped" }

  /// The agent's process, or nil when none runs.
  var process: Int32? { QueueLock.holder(folder: runFolder, name: Self.lockName) }

  /// The right to be the agent; throws `stateLocked` when another process has it.
  func take() throws(DLSyncError) -> QueueLock { try QueueLock.take(folder: runFolder, name: Self.lockName) }

  /// Whether anybody ever was the agent, as far as the folder tells.
  var hasLockFile: Bool { access(runFolder + "/" + Self.lockName + ".lock", F_OK) == 0 }

  /// Whether nobody else can have got the right to be the agent meanwhile.
  func isHeld(by lock: QueueLock) -> Bool { lock.isInPlace(folder: runFolder, name: Self.lockName) }

  var isStopped: Bool { access(mark, F_OK) == 0 }

  func setStopped(_ isStopped: Bool) throws(DLSyncError) {
    guard isStopped else {
      unlink(mark)
      return
    }
    try makeFolder()
    let file = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.unavailable("\"\(mark)\" cannot be made", .last) }
    close(file)
  }

  /// The log, open for what is to be printed. A long one is moved aside first; one older is kept.
  func openLog() throws(DLSyncError) -> Int32 {
    try makeFolder()
    rotateLog()
    // A pipe in its place has no reader who would be waited for.
    let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw Self.unavailable("\"\(log)\" cannot be opened", .last) }
    return file
  }

  /// Whether the log is long enough for a new one.
  @discardableResult
  func rotateLog() -> Bool {
    var status = stat()
    guard lstat(log, &status) == 0, status.st_size > 1 << 20 else { return false }
    return rename(log, log + ".1") == 0
  }

  private func makeFolder() throws(DLSyncError) {
    guard mkdir(runFolder, 0o700) != 0, errno != EEXIST else { return }
    throw Self.unavailable("\"\(runFolder)\" cannot be made", .last)
  }

  static func unavailable(_ what: String, _ trouble: SystemTrouble) -> DLSyncError {
    DLSyncError(
      .stateUnavailable, "\(what): \(trouble.text)",
      hint: "check the state folder, or use another: `--state DIR`")
  }
}
