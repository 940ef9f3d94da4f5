/// The time scale that the pictures of one run share: a few round moments.
struct TimeAxis {
  /// Seconds from the left edge to the right one.
  let length: Double
  private static let steps: [Double] = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600,
    43_200, 86_400, 172_800, 604_800,
  ]

  init(seconds: Double) { length = max(0.01, seconds.isFinite ? seconds : 0.01) }

  /// Moments with what is written below them.
  var ticks: [(seconds: Double, text: String)] {
    let step = Self.steps.first { length / $0 <= 8 } ?? length
    return (0...max(0, Int(length / step))).map { (Double($0) * step, Self.text(Double($0) * step)) }
  }

  /// `0`, `0.25 s`, `45 s`, `1:30`, `2:00:00`, `3 d`.
  static func text(_ seconds: Double) -> String {
    if seconds == 0 { return "0" }
    if seconds >= 172_800 { return "\(Int(seconds / 86_400)) d" }
    if seconds < 60 {
      let hundredths = Int((seconds * 100).rounded())
      if hundredths % 100 == 0 { return "\(hundredths / 100) s" }
      return hundredths % 10 == 0
        ? "\(hundredths / 100).\(hundredths % 100 / 10) s"
        : "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
    }
    return Wording.clock(seconds)
  }

  /// A place along the axis in per cent, with two decimals.
  func percent(_ seconds: Double) -> String { Self.number(min(100, max(0, seconds / length * 100))) }

  /// The row of moments below a picture.
  func write(to channel: OutputChannel) {
    channel.write("<div class=\"axis\">")
    for tick in ticks {
      // The last ones would stand over the edge.
      let isLast = tick.seconds / length > 0.96
      channel.write(
        "<span style=\"left:\(percent(tick.seconds))%\"\(isLast ? " class=\"last\"" : "")>\(tick.text)</span>")
    }
    channel.write("</div>")
  }

  /// At most two decimals, none where they are zero.
  static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
