import DLSyncModel
import DLSyncTestSupport
import Testing

@testable import DLSyncCLI

/// A run with one file of each kind of ending, and with names that mean trouble in every format.
struct SampleRun {
  static let evil = "<gone> & \"co\" | `x` \u{1b}[2J"

  static func record(failures: Int = 1) throws -> RunRecord {
    var files = [
      FilePlan(
        entry: try entry("bin/tool", url: "https://example.org/tool?X-Amz-Signature=SECRET"), action: .download,
        reason: .new),
      FilePlan(entry: try entry("same"), action: .reuse, reason: .unchanged),
      FilePlan(
        entry: try entry("mine"), action: .conflict, reason: .destinationExists,
        error: DLSyncError(.destinationExists, "it is there already", hint: "move it away")),
      FilePlan(entry: try entry("later"), action: .download, reason: .suspended, isHeld: true),
      FilePlan(entry: try entry("pending"), action: .download, reason: .new),
    ]
    var outcome = FileOutcome(file: 0, from: .publishing, state: .completed)
    outcome.bytes = ByteCount(2048)
    outcome.fetchedBytes = ByteCount(3000)
    outcome.seconds = 1.5
    outcome.attempts = 2
    outcome.warnings = ["the server has no clock"]
    var events = [Event.ended(outcome)]
    for index in 0..<failures {
      files.append(FilePlan(entry: try entry(evil + "\(index)"), action: .download, reason: .new))
      var failed = FileOutcome(file: files.count - 1, from: .running, state: .failed)
      failed.error = DLSyncError(.httpStatus, "the server answered 404 for <\(index)>", hint: "check the entry's url")
      failed.attempts = 1
      events.append(.ended(failed))
    }
    var report = Report()
    report.apply(.planned(plan(files)))
    for event in events { report.apply(event) }
    report.apply(.finished(RunEnd(seconds: 3)))
    var history = RunHistory()
    history.apply(.stateChanged(StateChange(file: 0, from: .waiting, to: .running)), at: 0.5)
    history.apply(.stateChanged(StateChange(file: 0, from: .running, to: .retrying)), at: 1)
    history.apply(.stateChanged(StateChange(file: 0, from: .retrying, to: .running)), at: 1.5)
    for event in events { history.apply(event, at: 2) }
    return RunRecord(
      report: report, manifest: "m.yaml", scope: Scope("demo"), started: Timestamp(seconds: 1_796_000_000),
      history: history)
  }
}

@Suite struct ReportTests {
  @Test func resultsAgreeWithTheSummary() throws {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var generator = SeededGenerator(seed: seed)
    let entry = try entry("a")
    var files: [FilePlan] = []
    var outcomes: [FileOutcome?] = []
    for index in 0..<400 {
      let action = PlanAction.allCases.randomElement(using: &generator)!
      let reason: PlanReason = action == .download ? [.new, .stale, .changed].randomElement(using: &generator)! : .new
      files.append(FilePlan(entry: entry, action: action, reason: reason))
      var outcome = FileOutcome(
        file: index, from: .running, state: [.completed, .failed, .waiting].randomElement(using: &generator)!)
      outcome.fetchedBytes = ByteCount(Int64.random(in: 0...1, using: &generator))
      let code: ErrorCode = Bool.random(using: &generator) ? .destinationModified : .httpStatus
      if outcome.state == .failed { outcome.error = DLSyncError(code, "no") }
      outcome.isHandedOver = outcome.state == .waiting && Bool.random(using: &generator)
      // A conflict of the plan and a file that stays have an outcome only when something went wrong.
      let hasOne = action == .download || outcome.state == .failed && Bool.random(using: &generator)
      outcomes.append(hasOne ? outcome : nil)
    }
    var report = Report()
    report.apply(.planned(plan(files)))
    for case let outcome? in outcomes { report.apply(.ended(outcome)) }
    let results = zip(files, outcomes).map { FileResult($0, $1) }
    func count(_ result: FileResult) -> Int { results.count { $0 == result } }
    #expect(count(.downloaded) == report.summary.downloaded, "seed \(seed)")
    #expect(count(.reused) == report.summary.reused, "seed \(seed)")
    #expect(count(.conflict) == report.summary.conflicts, "seed \(seed)")
    #expect(count(.failed) == report.summary.failed, "seed \(seed)")
    #expect(count(.handedOver) == report.summary.handedOver, "seed \(seed)")
  }

  @Test func junitHasACaseForEachFile() throws {
    let run = try SampleRun.record()
    let text = captured { JUnitReport(runs: [run]).write(to: $0) }
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
        <testsuite id="0" package="dlsync" name="demo" hostname="localhost" tests="6" failures="2" errors="0" skipped="2" \
        time="3.000" timestamp="2026-11-30T00:53:20">
        <properties><property name="manifest" value="m.yaml"/><property name="exitStatus" value="1"/></properties>
        <testcase classname="default" name="bin/tool" time="1.500"/>
        <testcase classname="default" name="same" time="0.000"/>
        <testcase classname="default" name="mine" time="0.000">
        <failure type="destinationExists" message="destinationExists: it is there already">https://example.org/a
        it is there already
        hint: move it away</failure>
        </testcase>
        <testcase classname="default" name="later" time="0.000">
        <skipped message="held"/>
        </testcase>
        <testcase classname="default" name="pending" time="0.000">
        <skipped message="pending"/>
        </testcase>
        <testcase classname="default" name="&lt;gone&gt; &amp; &quot;co&quot; | `x` \\x1b[2J0" time="0.000">
        <failure type="httpStatus" message="httpStatus: the server answered 404 for &lt;0&gt;">https://example.org/a
        the server answered 404 for &lt;0&gt;
        hint: check the entry&#39;s url</failure>
        </testcase>
        <system-out>bin/tool: the server has no clock</system-out>
        <system-err></system-err>
        </testsuite>
        </testsuites>

        """)
  }

  @Test func markdownKeepsItsTableWhateverNamesSay() throws {
    let run = try SampleRun.record()
    let text = captured { MarkdownReport(runs: [run]).write(to: $0) }
    let name = "&lt;gone&gt; &amp; \"co\" \\| \\`x\\` \\\\x1b\\[2J0"
    #expect(text.contains("| \(name) | httpStatus | the server answered 404 for &lt;0&gt;<br>*hint:* check"))
    #expect(text.hasPrefix("## ❌ dlsync: demo\n\n6 files, 2.9 KiB fetched at 1000 B/s in 3.0 s, 2026-11-30"))
    #expect(text.contains("| failed | conflict | downloaded | reused | held | pending |\n"))
    #expect(text.contains("| 1 | 1 | 1 | 1 | 1 | 1 |\n"))
    #expect(text.hasSuffix("### Warnings\n\n- bin/tool: the server has no clock\n"))
  }

  @Test func longMarkdownSummariesAreCut() throws {
    let run = try SampleRun.record(failures: 5000)
    let text = captured { MarkdownReport(runs: [run]).write(to: $0) }
    #expect(text.contains("and 4901 more"))
    #expect(text.utf8.count < 40_000)
  }

  @Test func aFailedRunKeepsTheLastSuccess() throws {
    let run = try SampleRun.record()
    let head = "dlsync_last_success_timestamp_seconds{scope=\"demo\"}"
    let old = "# HELP x\n\(head) 1796000001.250\ndlsync_last_success_timestamp_seconds{scope=\"x\"} no\n"
    let kept = PrometheusReport.lastSuccesses(in: old)
    #expect(kept == ["demo": "1796000001.250"])
    let text = captured { PrometheusReport(runs: [run], lastSuccesses: kept).write(to: $0) }
    #expect(text.contains("\n\(head) 1796000001.250\n"))
    #expect(text.contains("\ndlsync_last_run_timestamp_seconds{scope=\"demo\"} 1796000003.000\n"))
    #expect(text.contains("\ndlsync_files{scope=\"demo\",result=\"failed\"} 1\n"))
    #expect(!captured { PrometheusReport(runs: [run], lastSuccesses: [:]).write(to: $0) }.contains("last_success"))
  }

  @Test(arguments: ["/srv/a \"b\"\\c", "x\ny", "plain", "\\n"]) func metricLabelsReadBack(scope: String) throws {
    let sample = try SampleRun.record()
    var report = Report()
    report.apply(.finished(RunEnd(seconds: 1)))
    let run = RunRecord(
      report: report, manifest: "m", scope: Scope(scope), started: sample.started, history: RunHistory())
    let text = captured { PrometheusReport(runs: [run], lastSuccesses: [:]).write(to: $0) }
    #expect(PrometheusReport.lastSuccesses(in: text) == [scope: "1796000001.000"])
  }

  @Test func noReportTellsACredential() throws {
    let run = try SampleRun.record()
    for text in [
      captured { JUnitReport(runs: [run]).write(to: $0) }, captured { MarkdownReport(runs: [run]).write(to: $0) },
      captured { HTMLReport(runs: [run]).write(to: $0) },
      captured { JSONReport(runs: [run], exitStatus: 1).write(to: $0) },
      captured { PrometheusReport(runs: [run], lastSuccesses: [:]).write(to: $0) },
    ] {
      #expect(!text.contains("SECRET"))
      #expect(text.contains("demo"))
    }
  }
}
