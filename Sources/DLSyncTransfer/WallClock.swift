import Glibc

/// The time of day, for dates of HTTP alone; waiting goes by the monotonic clock.
package enum WallClock {
  /// Seconds since 1970.
  package static var seconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }
}
