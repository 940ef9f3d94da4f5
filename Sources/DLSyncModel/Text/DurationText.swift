/// Durations: plain seconds, or days, hours, minutes, seconds and milliseconds in that order: `90`, `1h 30m`, `500ms`.
package enum DurationText {
  /// What to write, for messages.
  package static let form = "seconds such as `90`, or `1d 2h 3m 4s 500ms` in that order"
  /// Far beyond every use, and far from the end of 64 bits in nanoseconds.
  package static let longest = Duration.seconds(36_500 * 86_400)

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// The duration, or nil when the text is none or longer than `longest`.
  package static func parse(_ text: String) -> Duration? {
    if let seconds = NumberText.whole(text) { return limited(seconds, 1000) }
    var rest = text[...]
    var total = Duration.zero
    var nextUnit = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
      let name = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
      guard let number = NumberText.whole(digits),
        let unit = units[nextUnit...].firstIndex(where: { name == $0.name }),
        let part = limited(number, units[unit].milliseconds)
      else { return nil }
      total += part
      nextUnit = unit + 1
      rest = rest.dropFirst(digits.count + name.count)
      let spaces = rest.prefix { $0 == " " }
      rest = rest.dropFirst(spaces.count)
      if rest.isEmpty, !spaces.isEmpty { return nil }
    }
    return nextUnit == 0 || total > longest ? nil : total
  }

  private static func limited(_ number: Int64, _ milliseconds: Int64) -> Duration? {
    let (product, overflow) = number.multipliedReportingOverflow(by: milliseconds)
    guard !overflow, Duration.milliseconds(product) <= longest else { return nil }
    return .milliseconds(product)
  }
}
