import DLSyncModel

/// A line as it may be shown, and where its columns went.
struct MaskedLine {
  /// A part of a line that is shown as something else. Columns count scalars from 1; `end` is the one behind it.
  struct Span {
    let start: Int
    let end: Int
    let replacement: String
  }

  private(set) var scalars: [Unicode.Scalar] = []
  private var shifts: [(column: Int, end: Int, shown: Int, length: Int)] = []

  /// A line with parts replaced; spans that overlap an earlier one are dropped.
  init(_ line: String, _ spans: [Span]) {
    let original = Array(line.unicodeScalars)
    var next = 1
    for span in spans.sorted(by: { $0.start < $1.start }) where span.start >= next && span.start < span.end {
      let start = min(span.start, original.count + 1)
      scalars.append(contentsOf: original[(next - 1)..<(start - 1)])
      let shown = Array(span.replacement.unicodeScalars)
      shifts.append((start, span.end, scalars.count + 1, shown.count))
      scalars.append(contentsOf: shown)
      next = min(span.end, original.count + 1)
    }
    scalars.append(contentsOf: original[(next - 1)...])
  }

  /// Where a column of the original is now; within a replaced part it is that part's beginning.
  func column(of column: Int) -> Int {
    var result = column
    for shift in shifts where shift.column <= column {
      result = column < shift.end ? shift.shown : shift.shown + shift.length + (column - shift.end)
    }
    return max(1, result)
  }
}
