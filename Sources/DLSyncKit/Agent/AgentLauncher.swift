internal import DLSyncModel
internal import DLSyncSystem
internal import Glibc

/// Starts the agent: this same program, in a session of its own, with nothing of the command that started it but its
/// environment.
struct AgentLauncher: Sendable {
  let place: AgentPlace
  let environment: [String: String]

  /// Returns when the process is there; it may find that another one is the agent already.
  func start() throws(DLSyncError) {
    let log = try place.openLog()
    defer { close(log) }
    var program = Program(
      words: ["dlsync", "agent", "run", "--state", try WorkingFolder.absolute(place.stateFolder)],
      environment: environment)
    // The running program, even where its file was replaced.
    program.file = "/proc/self/exe"
    program.isDetached = true
    if case .failure(let trouble) = program.start(.init(output: log, error: log)) {
      throw AgentPlace.unavailable("the agent could not be started", trouble)
    }
  }
}
