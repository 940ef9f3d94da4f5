internal import DLSyncModel
internal import DLSyncSystem
internal import DLSyncThreading
internal import Glibc

/// Starts the agent: this same program, in a session of its own, with nothing of the command that started it but its
/// environment.
struct AgentLauncher: Sendable {
  let place: AgentPlace
  let environment: [String: String]
  /// When the agent ends that has nothing to do; nil for its own choice.
  var idleExit: Duration?

  /// Agents of this process that may not have ended yet.
  private static let started = Locked<[Int32]>([])

  /// Lets go of those that have ended: a process that waits for days has no dead children.
  static func reap() { started.withLock { $0.removeAll { Program.end(of: $0) != nil } } }

  /// Returns when the process is there; it may find that another one is the agent already.
  func start() throws(DLSyncError) {
    let log = try place.openLog()
    defer { close(log) }
    var program = Program(
      words: ["dlsync", "agent", "run", "--state", place.stateFolder],
      environment: environment)
    if let idleExit { program.words += ["--idle-exit", "\(idleExit.inNanoseconds / 1_000_000)ms"] }
    // The running program, even where its file was replaced.
    program.file = "/proc/self/exe"
    program.isDetached = true
    switch program.start(.init(output: log, error: log)) {
    case .success(let process): Self.started.withLock { $0.append(process) }
    case .failure(let trouble): throw AgentPlace.unavailable("the agent could not be started", trouble)
    }
  }
}
