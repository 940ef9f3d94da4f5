extension Duration {
  /// Seconds with fractions.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// Whole nanoseconds; beyond 292 years the largest number.
  package var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? .max : sum
  }

  /// Whole milliseconds, rounded up, so that a short wait never becomes none.
  package var inMilliseconds: Int64 {
    let (whole, rest) = inNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return whole + (rest > 0 ? 1 : 0)
  }

  /// Seconds as text with up to three decimals and no trailing zeros: `15`, `0.3`.
  package var secondsText: String {
    let milliseconds = inNanoseconds / 1_000_000
    let fraction = milliseconds % 1000
    guard fraction != 0 else { return "\(milliseconds / 1000)" }
    var digits = String(1000 + fraction).dropFirst()
    while digits.last == "0" { digits = digits.dropLast() }
    return "\(milliseconds / 1000).\(digits)"
  }
}
