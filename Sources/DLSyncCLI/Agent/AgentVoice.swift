import DLSyncKit
import DLSyncModel
import DLSyncThreading
import Glibc

/// What the agent prints: a line for each file and each queue that ended. And what it runs at a queue's end.
final class AgentVoice: AgentListener {
  private let environment: [String: String]
  private let log: String
  private let executor: ThreadExecutor
  private let stop: StopRequest

  /// `stop` is what the agent is asked.
  init(environment: [String: String], log: String, executor: ThreadExecutor, stop: StopRequest) {
    self.environment = environment
    self.log = log
    self.executor = executor
    self.stop = stop
  }

  func observer(of scope: Scope, _ queue: QueueName) -> any RunObserver { AgentObserver(environment: environment) }

  func queueStoodStill(scope: Scope, _ queue: QueueName, _ error: DLSyncError) {
    Self.say("warning: queue \"\(queue)\" of \(scope) does not get on: \(error.code): \(error.message)")
  }

  func queueEnded(_ end: QueueEnd) async -> Bool {
    let summary = end.report.summary
    Self.say(
      "queue \"\(end.queue)\" of \(end.scope): \(summary.downloaded) downloaded (\(summary.bytes)), "
        + "\(summary.failed) failed, \(summary.conflicts) conflicts in \(Wording.duration(summary.seconds))")
    Notices(environment: environment) { Self.say($0) }.end(end.notify, end.report)
    guard let command = end.command else { return true }
    guard stop.signal == nil else { return false }
    let hook = CompletionHook(command: command, environment: environment, executor: executor, stop: stop)
    let document = ReportDocument(report: end.report, manifest: end.scope.text)
    let outcome = await hook.run(summary, exitStatus: end.report.exitStatus) { document.write(to: $0) }
    if let trouble = outcome.trouble {
      Self.say("warning: \(trouble)\(outcome.wasStopped ? "; the next agent runs it again" : "")")
    }
    return !outcome.wasStopped
  }

  /// Only where the streams are that file: a service manager's are not.
  func logWasMoved() {
    var moved = stat()
    var stream = stat()
    guard stat(log + ".1", &moved) == 0, fstat(2, &stream) == 0, moved.st_ino == stream.st_ino,
      moved.st_dev == stream.st_dev
    else { return }
    let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    dup2(file, 1)
    dup2(file, 2)
    close(file)
  }

  /// One line, in one call, so that lines of several threads never mix.
  static func say(_ text: String) {
    let line = Array("\(MomentText.text(.now))  \(TerminalText.escaped(text))\n".utf8)
    _ = Glibc.write(2, line, line.count)
  }
}

/// Follows one run of the agent.
private final class AgentObserver: RunObserver {
  private struct State {
    var files: [FilePlan] = []
  }

  private let state = Locked(State())
  private let environment: [String: String]

  init(environment: [String: String]) { self.environment = environment }

  func receive(_ events: [Event]) {
    let notices = Notices(environment: environment) { AgentVoice.say($0) }
    let files = state.withLock { $0.files }
    if !files.isEmpty { notices.know(files) }
    for event in events {
      notices.receive(event)
      switch event {
      case .planned(let plan): state.withLock { $0.files = plan.files }
      case .joined(let more): state.withLock { $0.files += more }
      case .ended(let outcome): say(outcome)
      case .warning(_, let text): AgentVoice.say("warning: \(text)")
      default: break
      }
    }
  }

  private func say(_ outcome: FileOutcome) {
    let place = state.withLock { state in
      state.files.indices.contains(outcome.file) ? state.files[outcome.file].entry.destination.path : ""
    }
    let size = outcome.bytes.map { " (\($0))" } ?? ""
    let reason = outcome.error.map { ": \($0.code): \($0.message)" } ?? ""
    AgentVoice.say("\(outcome.state.rawValue)  \(place)\(size)\(reason)")
  }
}
