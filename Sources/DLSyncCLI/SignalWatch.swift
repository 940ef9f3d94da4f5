import DLSyncKit
import DLSyncSystem
import DLSyncThreading
import Glibc
import Synchronization

/// The signals of the process: the first asks a run to stop, the next one ends the process at once, and so does the
/// first where nothing runs that could be stopped. Whatever way it ends, the terminal gets its cursor back.
final class SignalWatch: Sendable {
  private struct Present {
    var run: StopRequest?
    var isStopping = false
  }

  private let present = Locked(Present())
  private let isCursorHidden = Atomic<Bool>(false)
  private let wasContinued = Atomic<Bool>(false)
  private let isStopped = Atomic<Bool>(false)
  /// Where the cursor is hidden: what is drawn on, or standard error.
  private let screen: Atomic<Int32>

  /// Whether the process is this program, and no other one that calls it.
  let ownsProcess: Bool

  init(standardError: Int32, ownsProcess: Bool = false) {
    screen = Atomic(standardError)
    self.ownsProcess = ownsProcess
  }

  /// To be called before the process has a second thread: all threads inherit what is blocked and ignored here.
  /// A closed pipe and a file that grew too large are results of `write`, not reasons to die.
  func prepareProcess() {
    Self.occupyStandardDescriptors()
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // Swift's runtime would write a backtrace; who sends it wants the end, at once and with the core dump that it stands for.
    signal(SIGQUIT, SIG_DFL)
    // Where it is ignored, which a program inherits from whoever starts it, the system forgets how our programs end.
    signal(SIGCHLD, SIG_DFL)
    OpenFileLimit.raise()
    var signals = Self.watched()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for signals for ever; they must be blocked in every thread.
  func watch() -> Never {
    var signals = Self.watched()
    var asked: (number: Int32, at: MonotonicInstant)?
    while true {
      var number: Int32 = 0
      if let (signal, moment) = asked {
        var pause = timespec(tv_sec: 0, tv_nsec: 200_000_000)
        number = sigtimedwait(&signals, nil, &pause)
        if number < 0 {
          leaveReader(signal, askedAt: moment)
          continue
        }
      } else {
        guard sigwait(&signals, &number) == 0 else { continue }
      }
      if number == SIGTSTP {
        suspendProcess()
      } else if let asked, MonotonicInstant.now.seconds(since: asked.at) < Self.echo {
        continue
      } else {
        take(number)
        asked = asked ?? (number, .now)
      }
    }
  }

  /// Whoever reads the output and does not take it keeps nobody from ending: the run was asked to stop long ago.
  private func leaveReader(_ signal: Int32, askedAt moment: MonotonicInstant) {
    guard present.withLock({ $0.isStopping }), let since = OutputChannel.waitsSince else { return }
    let now = MonotonicInstant.now
    if now.seconds(since: moment) > Self.patience, now.seconds(since: since) > Self.patience { leave(signal) }
  }

  /// What comes so soon after the first signal, in seconds, is the same wish: timeout(1) sends its signal to the process and
  /// then to the group, and a shell hands on the SIGHUP of a terminal that everybody had. Nobody types so fast.
  private static let echo = 0.02

  /// How long a reader is waited for after a signal, in seconds.
  private static let patience = 1.2

  /// From now on, signals ask this run to stop.
  func begin(_ run: StopRequest) { present.withLock { $0.run = run } }

  /// From now on, signals end the process.
  func end() { present.withLock { $0 = Present() } }

  /// From now on this terminal is drawn on.
  func draws(on descriptor: Int32) { screen.store(descriptor, ordering: .sequentiallyConsistent) }

  private var terminal: Int32 { screen.load(ordering: .sequentiallyConsistent) }

  func hideCursor() {
    isCursorHidden.store(true, ordering: .sequentiallyConsistent)
    if ownsProcess { CrashCleanup.arm(terminal) }
    write("\u{1b}[?25l")
  }

  /// A terminal that takes nothing is waited for, as everybody waits who prints to it; a signal ends that.
  func showCursor() {
    guard isCursorHidden.load(ordering: .sequentiallyConsistent) else { return }
    OutputChannel.waiting { write(Self.shownCursor, patience: -1) }
    noteShown()
  }

  private static let shownCursor = "\u{1b}[?25h"

  private func noteShown() {
    isCursorHidden.store(false, ordering: .sequentiallyConsistent)
    if ownsProcess { CrashCleanup.disarm() }
  }

  /// Whether the process was stopped and continued since the last question: the screen is no longer what it was.
  func takeContinued() -> Bool { wasContinued.exchange(false, ordering: .sequentiallyConsistent) }

  /// Whether the terminal is the shell's: the process is about to stop, does not know yet that it goes on, or is a job in the
  /// background. One that is in the group of timeout(1) is none, for its shell waits for it.
  var isSuspended: Bool {
    if isStopped.load(ordering: .sequentiallyConsistent) { return true }
    guard getpgrp() == getpid() else { return false }
    let group = tcgetpgrp(terminal)
    return group > 0 && group != getpid()
  }

  /// Handles one signal. Returns where the process goes on.
  private func take(_ number: Int32) {
    let run = present.withLock { present -> StopRequest? in
      guard !present.isStopping else { return nil }
      present.isStopping = true
      return present.run
    }
    guard let run else { leave(number) }
    run.stop(signal: number)
  }

  private func leave(_ number: Int32) -> Never {
    if isCursorHidden.load(ordering: .sequentiallyConsistent) { write("\n" + Self.shownCursor) }
    _exit(128 + number)
  }

  /// Ctrl-Z: the shell gets a terminal with a cursor. The stop itself is the system's, which knows when nobody could
  /// continue us.
  private func suspendProcess() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    if isCursorHidden.load(ordering: .sequentiallyConsistent) {
      write(Self.shownCursor)
      noteShown()
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    kill(getpid(), SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    wasContinued.store(true, ordering: .sequentiallyConsistent)
    isStopped.store(false, ordering: .sequentiallyConsistent)
  }

  /// Who is asked to end does not wait for a terminal that takes nothing; `patience` is in milliseconds, below zero without
  /// an end.
  private func write(_ text: String, patience: Int32 = 300) {
    let bytes = Array(text.utf8)
    var entry = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
    var found: Int32
    repeat { found = poll(&entry, 1, patience) } while found < 0 && errno == EINTR
    guard found > 0 else { return }
    _ = Glibc.write(terminal, bytes, bytes.count)
  }

  /// A standard stream that was closed by whoever started us would hand its number to the next file that is opened, and
  /// what is printed would end up in a download. Nothing can be written to what takes its place, so the loss shows.
  private static func occupyStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// All that are not ignored already: whoever started us with `nohup` means it.
  private static func watched() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP] {
      var action = sigaction()
      sigaction(number, nil, &action)
      let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
      if !isIgnored { sigaddset(&signals, number) }
    }
    return signals
  }
}
