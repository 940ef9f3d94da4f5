import DLSyncKit
import DLSyncModel
import DLSyncSystem
import DLSyncThreading
import Glibc

/// The user's own command at the end of a run: `--on-complete`, or `DLSYNC_ON_COMPLETE`. The JSON report is its standard
/// input, the sums are in its environment. Whatever becomes of it is a warning at most.
struct CompletionHook {
  let command: String
  let environment: [String: String]
  let executor: ThreadExecutor
  /// Who is asked to stop while it runs: it is ended then, and nobody waits for it.
  let stop: StopRequest
  /// Where its output goes.
  var error: Int32 = 2

  static let limit = Duration.seconds(60)

  /// The command of an invocation; nil where none is wanted.
  static func command(_ settings: Settings, _ environment: [String: String]) -> String? {
    if let command = settings.onComplete { return command }
    return environment["DLSYNC_ON_COMPLETE"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A command as the agent can start it, which works in `/`: a program named by a relative path is one below the folder of
  /// now.
  static func fromAnywhere(_ command: String) -> String {
    guard let program = CommandWords.split(command)?.first, program.contains("/"), !program.hasPrefix("/"),
      let folder = getcwd(nil, 0)
    else { return command }
    defer { free(folder) }
    let quoted = String(cString: folder).escaped { $0 == "'" ? "'\\''" : nil }
    return "'\(quoted)/'" + command.drop { " \t\n".contains($0) }
  }

  /// What became of it.
  struct Outcome {
    /// What there is to complain about.
    var trouble: String?
    /// Whether it was ended, or not begun, because a signal came.
    var wasStopped = false
  }

  /// Runs it once.
  func run(_ summary: Report.Summary, exitStatus: Int32, document: (JSONWriter) -> Void) async -> Outcome {
    guard let words = CommandWords.split(command) else {
      return Outcome(
        trouble: "the command at the end could not be run: \"\(command)\" has a quote that is not closed, or no word")
    }
    guard let file = temporaryFile() else {
      return Outcome(
        trouble: "the command at the end could not be run: there is no place for its input (TMPDIR)")
    }
    defer { close(file) }
    let channel = OutputChannel(descriptor: file)
    let json = JSONWriter(channel)
    document(json)
    json.endLine()
    channel.flush()
    guard channel.failure == nil, lseek(file, 0, SEEK_SET) == 0 else {
      return Outcome(trouble: "the command at the end could not be run: its input could not be written")
    }
    let program = Program(
      words: words, environment: environment.merging(Self.sums(summary, exitStatus)) { $1 })
    // What it prints is not our result, so all of it goes where messages go.
    let streams = Program.Streams(input: file, output: error, error: error)
    let end = await program.run(streams, limit: Self.limit, executor: executor, isStopped: { stop.signal != nil })
    return Outcome(trouble: Self.trouble(end, words[0]), wasStopped: end == .stopped)
  }

  private static func trouble(_ end: Program.End, _ name: String) -> String? {
    let command = "the command at the end, \"\(name)\","
    switch end {
    case .exited(0): return nil
    case .exited(let status): return "\(command) ended with status \(status)"
    case .signaled(let signal): return "\(command) was ended by signal \(signal)"
    case .notStarted(let trouble): return "\(command) could not be started: \(trouble.text)"
    case .stopped: return "\(command) was ended: a signal came before its end"
    case .unknown: return "\(command) has ended, and how is not known"
    case .tookTooLong: return "\(command) was ended: it had not after \(Wording.duration(limit.inSeconds))"
    }
  }

  private static func sums(_ summary: Report.Summary, _ exitStatus: Int32) -> [String: String] {
    [
      "DLSYNC_EXIT_STATUS": "\(exitStatus)", "DLSYNC_TOTAL": "\(summary.total)",
      "DLSYNC_DOWNLOADED": "\(summary.downloaded)", "DLSYNC_REUSED": "\(summary.reused)",
      "DLSYNC_CONFLICTS": "\(summary.conflicts)", "DLSYNC_FAILED": "\(summary.failed)",
      "DLSYNC_HELD": "\(summary.held)", "DLSYNC_HANDED_OVER": "\(summary.handedOver)",
      "DLSYNC_PRUNED": "\(summary.pruned)", "DLSYNC_BYTES": "\(summary.bytes.bytes)",
      "DLSYNC_FETCHED_BYTES": "\(summary.fetchedBytes.bytes)", "DLSYNC_SECONDS": "\(summary.seconds)",
    ]
  }

  /// A file without a name: whoever reads slowly or not at all holds nothing up.
  private func temporaryFile() -> Int32? {
    let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    // mkstemp(3) puts letters in place of each X.
    var template = Array("\(folder)/dlsync-report-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return nil }
    unlink(template)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }
}

extension Report {
  /// Whether all that the run itself had to do is at its end, and there was something or nothing went to the agent.
  var isTerminal: Bool {
    guard let plan, end?.signal == nil else { return false }
    let open = zip(plan.files, outcomes).contains { file, outcome in
      guard let outcome else { return !file.isHeld && (file.action == .download || file.isCopied) }
      return outcome.state == .waiting && !outcome.isHandedOver
    }
    guard !open else { return false }
    return summary.handedOver == 0 || summary.downloaded + summary.failed + summary.conflicts > 0
  }
}
