/// Fractions in decimal digits, never in powers of ten.
enum Decimal {
  /// `0.020`, `1764491316.250`; what is no number, or none that a file could mean, is 0.
  static func thousandths(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 9e15 else { return "0.000" }
    let thousandths = Int64((number * 1000).rounded())
    let rest = thousandths.magnitude % 1000
    let zeros = rest < 10 ? "00" : rest < 100 ? "0" : ""
    return "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000).\(zeros)\(rest)"
  }
}
