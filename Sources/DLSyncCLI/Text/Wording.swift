import DLSyncModel

/// Amounts in words, the same everywhere.
enum Wording {
  /// `1 file`, `3 files`.
  static func count(_ number: Int, _ singular: String, _ plural: String) -> String {
    "\(number) \(number == 1 ? singular : plural)"
  }

  /// `8.1 MiB/s`.
  static func speed(_ bytesPerSecond: Double) -> String {
    guard bytesPerSecond.isFinite, bytesPerSecond >= 0, bytesPerSecond < 9e18 else { return "" }
    return "\(ByteCount(Int64(bytesPerSecond)))/s"
  }

  /// `4.9/8.6 MiB`: both in the unit of the total.
  static func share(_ completed: ByteCount, of total: ByteCount) -> String {
    let words = total.description.split(separator: " ")
    let factor = pow(1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].firstIndex { $0 == words[1] } ?? 0)
    guard factor > 1 else { return "\(completed.bytes)/\(total)" }
    let tenths = Int64((Double(completed.bytes) / factor * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)/\(total)"
  }

  private static func pow(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1.0) { power, _ in power * base }
  }

  /// The average over a time, or nothing where the time is too short to say.
  static func speed(_ bytes: ByteCount, over seconds: Double) -> String? {
    seconds > 0 ? speed(Double(bytes.bytes) / seconds) : nil
  }

  /// The average of one file, or nothing where it would say more about the wait for the answer than about the line: of a
  /// few bytes, and of what came in less than a second.
  static func fileSpeed(_ bytes: ByteCount, over seconds: Double) -> String? {
    let isTelling = seconds >= 1 ? bytes.bytes >= 1 << 10 : bytes.bytes >= 1 << 20
    return isTelling ? speed(bytes, over: seconds) : nil
  }

  /// For a summary: `0.02 s`, `1.5 s`, `42 s`, `3 min 20 s`, `2 h 5 min`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 9e15 else { return "?" }
    if seconds < 0.1 { return hundredths(seconds) + " s" }
    if seconds < 9.95 { return tenths(seconds) + " s" }
    let whole = Int64(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  /// For a column: `0:07`, `12:34`, `1:02:03`; what would take days is not worth a number.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 360_000 else { return "--:--" }
    let whole = Int64(seconds.rounded(.up))
    let rest = two(whole % 60)
    return whole < 3600 ? "\(whole / 60):\(rest)" : "\(whole / 3600):\(two(whole % 3600 / 60)):\(rest)"
  }

  /// `45%`: whole, and 100 only where nothing is left.
  static func percent(_ fraction: Double) -> String {
    "\(fraction >= 1 ? 100 : max(0, min(99, Int(fraction * 100))))%"
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int64((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func hundredths(_ number: Double) -> String { "0.\(two(Int64((number * 100).rounded())))" }
}
