import Glibc

/// A moment of the monotonic clock: the one that steps of the wall clock do not move. For waiting and measuring.
package struct MonotonicInstant: Hashable, Comparable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static var now: MonotonicInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  package func advanced(by nanoseconds: Int64) -> MonotonicInstant {
    let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    return MonotonicInstant(nanoseconds: overflow ? .max : sum)
  }

  /// Seconds from an earlier moment to this one.
  package func seconds(since earlier: MonotonicInstant) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}
