/// Whole and decimal numbers as a manifest writes them: digits alone. No sign, no leading zero, no `1_000`, no `0x10`, and
/// for whole ones no `1e3`, because each of these means something else to somebody.
package enum NumberText {
  /// A whole number, or nil when it is none or does not fit.
  package static func whole(_ text: String) -> Int64? { whole(text[...]) }

  /// The same for a part of a text.
  package static func whole(_ text: Substring) -> Int64? {
    var value: Int64 = 0
    var count = 0
    for byte in text.utf8 {
      guard isDigit(byte), count == 0 || value > 0 else { return nil }
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      guard !overflow, !carry else { return nil }
      value = sum
      count += 1
    }
    return count == 0 ? nil : value
  }

  /// A number such as `1`, `0.25`, `.5` or, as programs write what is small, `1e-05`.
  package static func decimal(_ text: String) -> Double? {
    let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    if halves.count == 2 {
      let digits = halves[1].first.map { "+-".contains($0) } == true ? halves[1].dropFirst() : halves[1]
      guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit), decimal(String(halves[0])) != nil else { return nil }
      return Double(text.hasPrefix(".") ? "0" + text : text)
    }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }), let last = parts.last, !last.isEmpty else { return nil }
    guard parts.count == 1 || parts[0].isEmpty || whole(parts[0]) != nil else { return nil }
    guard parts.count == 2 || whole(parts[0]) != nil else { return nil }
    return Double(text.hasPrefix(".") ? "0" + text : text)
  }

  package static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
