import DLSyncModel
import DLSyncTestSupport
import Testing

@testable import DLSyncCLI

@Suite struct HTMLReportTests {
  @Test func thePolicyLetsTheOneScriptRun() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(HTMLScript.text, to: "script.js")
    let sum = try ChildProcess(Launch("/usr/bin/sha256sum", [path])).wait()
    let hex = sum.output.prefix(64)
    #expect(
      HTMLScript.digest == Self.base64(hex: hex), "the script was changed: its digest is now the one on the right")
  }

  @Test func thePageNeedsNothingElse() throws {
    let run = try SampleRun.record()
    let page = captured { HTMLReport(runs: [run, run]).write(to: $0) }
    #expect(page.hasPrefix("<!doctype html>"))
    for word in ["src=", "<link", "@import", "url(", "<iframe", "fetch("] { #expect(!page.contains(word), "\(word)") }
    #expect(page.contains("&lt;gone&gt; &amp; &quot;co&quot; | `x` \\x1b[2J0"))
    #expect(!page.contains("<gone>") && !page.contains("\u{1b}"))
  }

  @Test func everythingIsSaidWithoutAScript() throws {
    let run = try SampleRun.record()
    let page = captured { HTMLReport(runs: [run]).write(to: $0) }
    let words = [
      "bin/tool", "same", "mine", "later", "pending", "httpStatus", "destinationExists", "move it away",
      "check the entry&#39;s url", "the server has no clock", "attempt 2: 0.5 s", "waited 0.5 s", "peak ",
    ]
    for word in words { #expect(page.contains(word), "\(word)") }
  }

  @Test func problemsWithOneRemedyStandTogether() throws {
    let run = try SampleRun.record(failures: 3000)
    let page = captured { HTMLReport(runs: [run]).write(to: $0) }
    #expect(page.split(separator: "<article").count - 1 == 2)
    #expect(page.contains("<summary>2992 more files</summary>"))
  }

  @Test func throughputLosesNoByte() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var generator = SeededGenerator(seed: seed)
    var throughput = Throughput()
    var sum = 0.0
    for _ in 0..<2000 {
      let start = Double.random(in: 0...5000, using: &generator)
      let count = Int64.random(in: 0...1 << 30, using: &generator)
      throughput.add(count, from: start, to: start + Double.random(in: 0...100, using: &generator))
      sum += Double(count)
    }
    #expect(abs(throughput.bytes.reduce(0, +) - sum) < sum * 1e-9, "seed \(seed)")
    #expect(throughput.bytes.count <= 400, "seed \(seed)")
    let length = Double(throughput.bytes.count) * throughput.step
    let (step, rates) = throughput.rates(over: length, most: 100)
    let drawn = rates.enumerated().reduce(0.0) {
      $0 + $1.element * min(step, max(step / 2, length - Double($1.offset) * step))
    }
    #expect(rates.count <= 100 && abs(drawn - sum) < sum * 1e-6, "seed \(seed)")
  }

  @Test func lanesAreAsManyAsFilesAtOnce() {
    var lanes = TimelineLanes(seconds: 6251)
    for index in 0..<50_000 {
      let start = Float(index / 8)
      let span = RunHistory.Span(file: Int32(index), kind: .fetching, start: start, end: start + 0.9)
      lanes.place([span], isTrouble: false)
    }
    #expect(lanes.count == 8)
    // Spans that touch on the grid are one line: the picture stays small.
    var dense = TimelineLanes(seconds: 100_000)
    for index in 0..<50_000 {
      let span = RunHistory.Span(file: 0, kind: .fetching, start: Float(index), end: Float(index) + 0.9)
      dense.place([span], isTrouble: false)
    }
    #expect(dense.path(of: .fetching).utf8.count < 100)
  }

  @Test(arguments: [0.001, 0.5, 3, 59, 61, 3600, 90_000, 2_000_000]) func axesHaveAFewRoundMoments(seconds: Double) {
    let ticks = TimeAxis(seconds: seconds).ticks
    #expect((1...9).contains(ticks.count), "\(ticks)")
    #expect(Set(ticks.map(\.text)).count == ticks.count, "\(ticks)")
  }

  private static func base64(hex: some StringProtocol) -> String {
    var bits = Array(hex).flatMap { digit -> [UInt8] in
      let value = UInt8(String(digit), radix: 16) ?? 0
      return [value >> 3 & 1, value >> 2 & 1, value >> 1 & 1, value & 1]
    }
    while bits.count % 6 != 0 { bits.append(0) }
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = stride(from: 0, to: bits.count, by: 6).map { start in
      letters[bits[start..<start + 6].reduce(0) { $0 * 2 + Int($1) }]
    }
    while text.count % 4 != 0 { text.append("=") }
    return String(text)
  }
}
