import Glibc

/// The time of day: what people, records and HTTP's dates go by. Waiting goes by the monotonic clock.
package enum WallClock {
  /// Nanoseconds since 1970.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Whole seconds since 1970.
  package static var seconds: Int64 { nanoseconds / 1_000_000_000 }
}
