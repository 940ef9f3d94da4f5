import Glibc
import Synchronization

/// How many files this process may have open at once (RLIMIT_NOFILE of getrlimit(2)).
package enum OpenFileLimit {
  /// More than any run needs; where the hard limit is a billion, nothing should depend on it.
  private static let enough: rlim_t = 1 << 16
  /// What this process was started with, once it has raised that.
  private static let inherited = Atomic<UInt64>(0)

  /// The present limit.
  package static var current: Int { Int(clamping: min(limits.rlim_cur, enough)) }

  /// Raises it as far as the system lets. It is as low as it is for programs that still wait with select(2), which knows
  /// 1024 files; so it is for the process's owner to raise, and no library does.
  package static func raise() {
    var limits = limits
    let wanted = min(limits.rlim_max, enough)
    guard limits.rlim_cur < wanted else { return }
    inherited.store(UInt64(limits.rlim_cur), ordering: .relaxed)
    limits.rlim_cur = wanted
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
  }

  /// What a program is to be given, as this process was; zero where that is what it has.
  static var forPrograms: UInt64 { inherited.load(ordering: .relaxed) }

  private static var limits: rlimit {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return limits
  }
}
