import DLSyncModel

/// How fast bytes came over the time of a run, as a picture.
struct HTMLThroughput {
  private let seconds: Double
  private let throughput: Throughput
  private let average: String?
  private static let width = 1000.0
  private static let height = 160.0

  init(_ run: RunRecord) {
    seconds = run.length
    throughput = run.history.throughput
    average = Wording.speed(run.report.summary.fetchedBytes, over: run.report.summary.seconds)
  }

  func write(to channel: OutputChannel) {
    let (step, rates) = throughput.rates(over: seconds, most: 60)
    guard let peak = rates.max(), peak > 0 else { return }
    let top = Self.roundUp(peak)
    let axis = TimeAxis(seconds: seconds)
    channel.write("<h2>Throughput</h2>\n<figure class=\"plot\"><div class=\"scaled\"><div class=\"field\">")
    for share in [1.0, 0.5] {
      channel.write("<span class=\"level\" style=\"top:\(TimeAxis.number(100 - share * 100))%\">")
      channel.write("<em>\(Wording.speed(top * share))</em></span>")
    }
    let label = "peak \(Wording.speed(peak))\(average.map { ", \($0) on average" } ?? "")"
    channel.write("<svg viewBox=\"0 0 1000 160\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"\(label)\">")
    let line = path(rates, step, top)
    channel.write(
      "<path class=\"area\" d=\"M0 160\(line)L1000 160Z\"/><path class=\"line\" d=\"M\(line.dropFirst())\"/>")
    channel.write("</svg></div>")
    axis.write(to: channel)
    channel.write("</div><figcaption>\(label)</figcaption></figure>\n")
  }

  /// Steps as plateaus: what is drawn is what was measured.
  private func path(_ rates: [Double], _ step: Double, _ top: Double) -> String {
    let axis = TimeAxis(seconds: seconds)
    var text = ""
    for (index, rate) in rates.enumerated() {
      let y = TimeAxis.number(Self.height * (1 - rate / top))
      let x = TimeAxis.number(min(1, Double(index) * step / axis.length) * Self.width)
      let end = TimeAxis.number(min(1, Double(index + 1) * step / axis.length) * Self.width)
      text += "L\(x) \(y)H\(end)"
    }
    return text
  }

  /// The next round number in its decade of binary units.
  private static func roundUp(_ rate: Double) -> Double {
    var unit = 1.0
    while rate / unit >= 1024 { unit *= 1024 }
    var decade = 1.0
    while rate / unit / decade > 10 { decade *= 10 }
    let factor = [1.0, 1.5, 2, 3, 4, 5, 6, 8, 10].first { rate / unit / decade <= $0 } ?? 10
    return factor * decade * unit
  }
}
