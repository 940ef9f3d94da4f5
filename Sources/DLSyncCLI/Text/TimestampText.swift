import DLSyncModel
import Glibc

/// Moments in words, always in UTC.
enum TimestampText {
  /// `2026-11-30T08:28:36Z` (RFC 3339), as programs read it.
  static func standard(_ time: Timestamp) -> String {
    let (date, clock) = parts(time)
    return "\(date)T\(clock)Z"
  }

  /// `2026-11-30 08:28:36 UTC`, as people read it.
  static func readable(_ time: Timestamp) -> String {
    let (date, clock) = parts(time)
    return "\(date) \(clock) UTC"
  }

  private static func parts(_ time: Timestamp) -> (date: String, clock: String) {
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    let date = "\(Int(fields.tm_year) + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))"
    return (date, "\(two(fields.tm_hour)):\(two(fields.tm_min)):\(two(fields.tm_sec))")
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
