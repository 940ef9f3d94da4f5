/// Sizes: plain bytes, or a whole number and a unit, with or without a space: `4MiB`, `20 GB`.
package enum SizeText {
  /// What to write, for messages.
  package static let form =
    "a number of bytes, or one with kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB, K, M, G, T (powers of 1024)"

  private static let units: [(name: String, factor: Int64)] = [
    ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("KiB", 1 << 10),
    ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30),
    ("T", 1 << 40),
  ]

  /// The bytes, or nil when the text is no size or too large for 63 bits.
  package static func parse(_ text: String) -> Int64? { parse(text[...]) }

  /// The same for a part of a text.
  package static func parse(_ text: Substring) -> Int64? {
    let utf8 = text.utf8
    let end = utf8.firstIndex { !NumberText.isDigit($0) } ?? utf8.endIndex
    guard let number = NumberText.whole(text[..<end]) else { return nil }
    if end == utf8.endIndex { return number }
    let unit = text[end...].drop { $0 == " " }
    guard let factor = units.first(where: { unit == $0.name })?.factor else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : bytes
  }

  /// A size as a person would write it: `64KiB`.
  package static func spell(_ bytes: Int64) -> String {
    for (name, factor) in units.filter({ $0.name.hasSuffix("iB") }).reversed()
    where bytes >= factor && bytes % factor == 0 {
      return "\(bytes / factor)\(name)"
    }
    return "\(bytes)"
  }
}
