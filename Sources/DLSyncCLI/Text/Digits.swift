/// Whole numbers in groups of three digits, for people.
enum Grouped {
  /// `12`, `11,949`.
  static func text(_ number: Int) -> String {
    let digits = Array(String(number))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, digit != "-", digits[index - 1] != "-", (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}

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
