import DLSyncModel

/// Sizes, rates and durations as a person types them, the same spelling as in a manifest (its "Sizes" paragraph).
enum QuantityText {
  private static let sizes: [(suffix: String, factor: Int64)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
    ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40), ("B", 1), ("", 1),
  ]

  /// `4194304`, `4MiB`, `4 MB`; nil for anything else, and beyond 8 EiB.
  static func size(_ text: String) -> ByteCount? {
    for (suffix, factor) in sizes where text.hasSuffix(suffix) {
      guard let number = whole(trimmed(text.dropLast(suffix.count))) else { continue }
      let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
      return overflow ? nil : ByteCount(bytes)
    }
    return nil
  }

  /// A size, with or without `/s`; `0` and `unlimited` are `.some(nil)`; nil for anything else.
  static func rate(_ text: String) -> ByteCount?? {
    if text == "unlimited" { return .some(nil) }
    guard let size = size(text.hasSuffix("/s") ? String(text.dropLast(2)) : text) else { return nil }
    return .some(size == .zero ? nil : size)
  }

  private static let units: [(suffix: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// Plain seconds, or `1d 2h 3m 4s 500ms` in that order, with or without spaces; nil for anything else.
  static func duration(_ text: String) -> Duration? {
    if let seconds = whole(text[...]) { return seconds <= 9_000_000_000 ? .seconds(seconds) : nil }
    var rest = text[...]
    var next = 0
    var total: Int64 = 0
    while true {
      rest = trimmed(rest)
      if rest.isEmpty { break }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(letters.count)
      guard let number = whole(digits), let unit = units[next...].firstIndex(where: { $0.suffix == letters }) else {
        return nil
      }
      let (product, overflow) = number.multipliedReportingOverflow(by: units[unit].milliseconds)
      let (sum, overflow2) = total.addingReportingOverflow(product)
      guard !overflow, !overflow2, sum <= 9_000_000_000_000 else { return nil }
      total = sum
      next = unit + 1
    }
    return next == 0 ? nil : .milliseconds(total)
  }

  /// A decimal number without sign.
  static func whole(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return text
  }
}
