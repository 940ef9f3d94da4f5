import CPosix
import DLSyncSystem
import Glibc

/// The clock of this machine.
package enum SystemClock {
  /// Whether something keeps it right, as the kernel was told; nil where that cannot be asked.
  package static var isKeptRight: Bool? {
    switch dl_adjtimex_is_kept() {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// How often the clock ticks that this machine's own file systems stamp with, in nanoseconds.
  package static let tick: Int64 = {
    var length = timespec()
    guard clock_getres(CLOCK_REALTIME_COARSE, &length) == 0 else { return 10_000_000 }
    return Int64(length.tv_sec) * 1_000_000_000 + Int64(length.tv_nsec)
  }()

  /// What that clock shows, in nanoseconds since 1970: what is changed from now on has no earlier stamp.
  package static var stamp: Int64 { read(CLOCK_REALTIME_COARSE) }

  /// The moment between two ticks, in nanoseconds since 1970.
  package static var now: Int64 { WallClock.nanoseconds }

  private static func read(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}
