import DLSyncThreading
package import Glibc

/// A running process. A thread of its own reads what it says and waits for its end; whoever wants the result waits with
/// a limit, behind which the process and everything in its session's group is killed by number.
package final class ChildProcess: Sendable {
  private struct Progress {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var terminal: [UInt8] = []
    var peakMemory: Int?
    /// From here on the number may belong to somebody else.
    var isReaped = false
    var isKilledLate = false
    var result: ProcessResult?
  }

  /// Its number, which is its group's too.
  package let processID: pid_t
  private let progress = Locked(Progress())
  private let ended = WaitingDriver()
  private let terminal: Int32

  /// Starts it.
  package init(_ launch: Launch) throws {
    // A process that ends without reading its input is no reason for the tests to end; it gets the default back.
    signal(SIGPIPE, SIG_IGN)
    let spawned = try launch.spawn()
    processID = spawned.processID
    terminal = spawned.terminal
    let start = MonotonicInstant.now
    TestThread.start { [self] in
      ProcessStreams(spawned, input: launch.input ?? [], measuresMemory: launch.measuresMemory).pump { piece in
        self.take(piece)
      }
      self.reap(start)
    }
  }

  /// What it wrote to standard output so far.
  package var outputSoFar: String { progress.withLock { String(decoding: $0.output, as: UTF8.self) } }
  /// What it wrote to standard error so far.
  package var errorsSoFar: String { progress.withLock { String(decoding: $0.errors, as: UTF8.self) } }
  /// What came out of its terminal so far.
  package var terminalSoFar: [UInt8] { progress.withLock { $0.terminal } }
  /// Whether it has not ended yet.
  package var isRunning: Bool { progress.withLock { $0.result == nil } }

  /// Waits until what it wrote to standard output is as wanted; false when it ended or the time is over before that.
  package func waitForOutput(_ limit: Duration = .seconds(20), until condition: (String) -> Bool) -> Bool {
    let end = MonotonicInstant.now.advanced(by: limit.nanosecondCount)
    while MonotonicInstant.now < end {
      let isOver = !isRunning
      if condition(outputSoFar) { return true }
      if isOver { return false }
      usleep(5000)
    }
    return false
  }

  /// Sends a signal to the process alone; nothing happens when it is gone.
  package func send(_ signal: Int32) {
    progress.withLock { if !$0.isReaped { Glibc.kill(processID, signal) } }
  }

  /// Kills the process and its group.
  package func kill() {
    progress.withLock { if !$0.isReaped { Glibc.kill(-processID, SIGKILL) } }
  }

  /// Changes the size of its terminal, which it is told with SIGWINCH.
  package func resizeTerminal(_ size: Launch.TerminalSize) {
    var window = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
    progress.withLock { if !$0.isReaped, terminal >= 0 { _ = ioctl(terminal, UInt(TIOCSWINSZ), &window) } }
  }

  /// Types at its terminal: what a terminal makes of ctrl-C and ctrl-Z happens.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    progress.withLock { if !$0.isReaped, terminal >= 0 { _ = write(terminal, bytes, bytes.count) } }
  }

  /// Its end; killed when that does not come in time. Only one thread may wait.
  package func wait(_ limit: Duration = .seconds(60)) -> ProcessResult {
    var end = MonotonicInstant.now.advanced(by: limit.nanosecondCount)
    while true {
      if let result = progress.withLock({ $0.result }) { return result }
      let left = end.nanoseconds - MonotonicInstant.now.nanoseconds
      if left <= 0 {
        progress.withLock { $0.isKilledLate = true }
        kill()
        end = MonotonicInstant.now.advanced(by: 10_000_000_000)
      }
      ended.turn(timeout: .nanoseconds(max(0, left)))
    }
  }

  private func take(_ piece: ProcessStreams.Piece) {
    progress.withLock { progress in
      switch piece {
      case .output(let bytes): progress.output += bytes
      case .errors(let bytes): progress.errors += bytes
      case .terminal(let bytes): progress.terminal += bytes
      case .peakMemory(let bytes): progress.peakMemory = max(progress.peakMemory ?? 0, bytes)
      }
    }
  }

  private func reap(_ start: MonotonicInstant) {
    // Looked at without reaping first: the number stays ours until the lock is held.
    var information = siginfo_t()
    while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let seconds = MonotonicInstant.now.seconds(since: start)
    progress.withLock { progress in
      var status: Int32 = 0
      waitpid(processID, &status, 0)
      progress.isReaped = true
      if terminal >= 0 { close(terminal) }
      let signal = status & 0x7F
      progress.result = ProcessResult(
        status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, signal: signal == 0 ? nil : signal,
        timedOut: progress.isKilledLate, outputBytes: progress.output, errorBytes: progress.errors,
        terminalBytes: progress.terminal, seconds: seconds, peakMemory: progress.peakMemory)
    }
    ended.wake()
  }
}
