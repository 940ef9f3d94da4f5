import Glibc
import Synchronization

/// Gives the terminal its cursor back when the process dies of a fault of its own, of `abort`, or of SIGQUIT. The signal
/// then does what it would have done: a backtrace, a core dump, the status that the shell tells.
enum CrashCleanup {
  /// The terminal whose cursor is hidden; -1 where none is.
  private static let terminal = Atomic<Int32>(-1)
  /// The address of what the signals did before, by their numbers; 0 until the first cursor was hidden.
  private static let previous = Atomic<UInt>(0)
  private static let signals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// From now on, the cursor of this terminal is hidden.
  static func arm(_ descriptor: Int32) {
    terminal.store(descriptor, ordering: .sequentiallyConsistent)
    if previous.load(ordering: .sequentiallyConsistent) == 0 { install() }
  }

  /// From now on, it is shown again.
  static func disarm() { terminal.store(-1, ordering: .sequentiallyConsistent) }

  private static func install() {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
    previous.store(UInt(bitPattern: actions), ordering: .sequentiallyConsistent)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in CrashCleanup.clean(number) }
    // Where an alternate stack is there, the own one may have overflowed.
    action.sa_flags = SA_ONSTACK
    for number in signals { sigaction(number, &action, actions + Int(number)) }
  }

  /// Only what a signal handler may do: atomics and system calls. The signal comes again, to its former action, as soon as
  /// this returns.
  private static func clean(_ number: Int32) {
    let descriptor = terminal.exchange(-1, ordering: .sequentiallyConsistent)
    if descriptor >= 0 {
      let text: StaticString = "\n\u{1b}[?25h"
      _ = write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
    }
    let address = previous.load(ordering: .sequentiallyConsistent)
    if let actions = UnsafeMutablePointer<sigaction>(bitPattern: address) {
      sigaction(number, actions + Int(number), nil)
    }
    raise(number)
  }
}
