/// The value of a Content-Range field (RFC 9110, section 14.4), ends as sent: inclusive.
package struct ContentRange: Equatable, Sendable {
  /// First and last offset, or nil for the unsatisfied form `bytes */N`.
  package let ends: ClosedRange<Int64>?
  /// The resource's whole length, or nil for `*`.
  package let total: Int64?

  /// Nil when the text is no range of bytes, or contradicts itself.
  package init?(_ text: String) {
    let words = text.split { $0 == " " || $0 == "\t" }
    // Some servers write `bytes=0-9/10` or `bytes: 0-9/10`; that is not the field's grammar, and nothing is guessed.
    guard words.count == 2, words[0].isSameToken(as: "bytes") else { return nil }
    let halves = words[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    if halves[1] == "*" {
      total = nil
    } else {
      guard let number = halves[1].plainNumber else { return nil }
      total = number
    }
    if halves[0] == "*" {
      guard total != nil else { return nil }
      ends = nil
      return
    }
    let numbers = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(\.plainNumber)
    guard numbers.count == 2, let first = numbers[0], let last = numbers[1], first <= last, last < .max else {
      return nil
    }
    if let total, last >= total { return nil }
    ends = first...last
  }
}
