import DLSyncModel

/// Spans packed into rows, drawn as lines of SVG paths on a whole-numbered grid. Lines that touch become one, so that the
/// picture of many files stays small; what takes long keeps a line of its own.
struct TimelineLanes {
  /// Units of the grid from the beginning of the run to its end.
  static let width = 10_000

  /// Units of the grid for each second.
  private let scale: Double
  /// When the last file of each row ended.
  private var ends: [Float] = []
  private var lines: [[Line]] = Array(repeating: [], count: RunHistory.Span.Kind.allCases.count)
  /// The last line of each row and kind.
  private var open: [[Int]] = []
  private(set) var troubles = ""
  private static let most = 120
  /// What is as wide as a pixel of a usual window, in units of the grid.
  private static let pixel = 10

  private struct Line {
    let lane: Int
    let start: Int
    var end: Int
  }

  init(seconds: Double) { scale = Double(Self.width) / seconds }

  /// Rows so far.
  var count: Int { max(1, ends.count) }

  /// Puts one file into the first row that is free when it begins. Files come in the order of their beginnings.
  mutating func place(_ spans: [RunHistory.Span], isTrouble: Bool) {
    guard let first = spans.first, let last = spans.last else { return }
    let lane = lane(from: first.start)
    ends[lane] = last.end
    for span in spans { draw(span, lane) }
    if isTrouble { troubles += "M\(Int(Double(last.end) * scale)) \(lane * 10 + 1)v8" }
  }

  func path(of kind: RunHistory.Span.Kind) -> String {
    var text = ""
    for line in lines[Int(kind.rawValue)] {
      let length = max(kind == .publishing ? 1 : Self.pixel, line.end - line.start)
      text += "M\(min(line.start, Self.width - length)) \(line.lane * 10 + 5)h\(length)"
    }
    return text
  }

  private mutating func lane(from start: Float) -> Int {
    // Moments are as coarse as the events that told them.
    if let free = ends.firstIndex(where: { $0 <= start + 0.002 }) { return free }
    if ends.count < Self.most {
      ends.append(0)
      open.append(Array(repeating: -1, count: lines.count))
      return ends.count - 1
    }
    return ends.indices.min { ends[$0] < ends[$1] } ?? 0
  }

  private mutating func draw(_ span: RunHistory.Span, _ lane: Int) {
    let kind = Int(span.kind.rawValue)
    var start = Int(Double(span.start) * scale)
    let end = Int(Double(span.end) * scale)
    let last = open[lane][kind]
    if last >= 0, start - lines[kind][last].end < Self.pixel {
      let earlier = max(start, lines[kind][last].end)
      guard end - earlier > 4 * Self.pixel else {
        lines[kind][last].end = max(earlier, end)
        return
      }
      // One sees where a file ends and the next one begins.
      start = earlier + Self.pixel
    }
    open[lane][kind] = lines[kind].count
    lines[kind].append(Line(lane: lane, start: start, end: end))
  }
}
