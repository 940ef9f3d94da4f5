import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// Progress for logs: a line for each file that ended, and one for the run every ten seconds. No escape sequences but
/// colours, no carriage returns.
final class PlainProgress: ProgressDisplay {
  let interval = Duration.seconds(1)
  private static let secondsBetweenSummaries = 10.0

  private let channel: OutputChannel
  private let lines: ProgressLines
  private let stop: StopRequest
  private var lastSummary: MonotonicInstant
  private var saidStop = false

  init(_ context: CommandContext, _ stop: StopRequest) {
    channel = context.error
    lines = ProgressLines(palette: context.errorTerminal.palette, isVerbose: context.settings.isVerbose)
    self.stop = stop
    lastSummary = .now
  }

  func receive(_ event: Event, _ state: RunProgress) {
    if let line = lines.line(event, state) { channel.write(line) }
  }

  func tick(_ now: MonotonicInstant, _ state: RunProgress) {
    if !saidStop, let signal = stop.signal {
      saidStop = true
      channel.write(StopNotice.text(signal))
    }
    if now.seconds(since: lastSummary) >= Self.secondsBetweenSummaries, state.total > 0 {
      lastSummary = now
      channel.write(lines.summary(state))
    }
    channel.flush()
  }

  func interject(_ lines: String) { channel.write(lines) }

  func finish() { channel.flush() }
}

/// What is said as soon as a signal has come, because stopping may take a moment.
enum StopNotice {
  static func text(_ signal: Int32) -> String {
    "dlsync: stopping after \(SignalName.of(signal)); a second signal ends at once\n"
  }
}

/// Signals by name.
enum SignalName {
  static func of(_ number: Int32) -> String {
    switch number {
    case 1: "SIGHUP"
    case 2: "SIGINT"
    case 15: "SIGTERM"
    default: "signal \(number)"
    }
  }
}
