/// Bytes over time in equal steps: few, however long the run is. Steps become twice as long when there are too many.
struct Throughput: Hashable, Sendable {
  /// Seconds of a step.
  private(set) var step = 0.05
  /// Bytes that came in each step.
  private(set) var bytes: [Double] = []
  private static let most = 400

  /// Bytes that came evenly between two moments, in seconds since the beginning.
  mutating func add(_ count: Int64, from start: Double, to end: Double) {
    guard count > 0, end >= 0, end.isFinite else { return }
    let start = min(max(0, start), end)
    while Int(end / step) >= Self.most { double() }
    let last = Int(end / step)
    if bytes.count <= last { bytes += Array(repeating: 0, count: last + 1 - bytes.count) }
    let first = Int(start / step)
    guard end > start, first < last else {
      bytes[last] += Double(count)
      return
    }
    let rate = Double(count) / (end - start)
    for index in first...last {
      let from = max(start, Double(index) * step)
      let to = min(end, Double(index + 1) * step)
      bytes[index] += rate * max(0, to - from)
    }
  }

  private mutating func double() {
    step *= 2
    bytes = stride(from: 0, to: bytes.count, by: 2).map { bytes[$0] + ($0 + 1 < bytes.count ? bytes[$0 + 1] : 0) }
  }

  /// Bytes a second, in steps that are long enough to be seen: at most so many of them over so many seconds.
  func rates(over seconds: Double, most: Int) -> (step: Double, rates: [Double]) {
    let count = max(1, min(Self.most * 2, Int((seconds / step).rounded(.up))))
    let group = max(1, (count + most - 1) / most)
    let width = step * Double(group)
    let rates = stride(from: 0, to: count, by: group).map { start in
      // The last step may be cut off by the end of the run; what is left of it must not look like a peak.
      let time = min(width, max(width / 2, seconds - Double(start) * step))
      return (start..<start + group).reduce(0.0) { $0 + ($1 < bytes.count ? bytes[$1] : 0) } / time
    }
    return (width, rates)
  }
}
