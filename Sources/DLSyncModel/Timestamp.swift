/// A moment of the wall clock, in nanoseconds since 1970 (UTC). For display, for records and for dates of HTTP; waiting
/// and timeouts use the monotonic clock.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public let nanoseconds: Int64
  /// Takes nanoseconds since 1970.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  /// Takes whole seconds since 1970; what is out of reach is the earliest or the latest moment.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }
  /// Unix seconds with fractions, the form of the JSON output.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
  /// Earlier moments come first.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }
}
