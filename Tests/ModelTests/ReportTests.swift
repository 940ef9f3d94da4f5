import DLSyncModel
import Testing

@Suite struct ReportTests {
  private func file(
    _ name: String, _ action: PlanAction = .download, _ reason: PlanReason = .new, isHeld: Bool = false
  ) throws -> FilePlan {
    FilePlan(
      entry: FileEntry(
        scope: Scope("s"), url: SourceURL(recorded: "http://h/" + name), destination: try Destination(name, root: "/r")),
      action: action, reason: reason, isHeld: isHeld)
  }

  private func report(_ files: [FilePlan], _ outcomes: [FileOutcome], _ end: RunEnd = RunEnd(seconds: 2)) -> Report {
    var report = Report()
    report.apply(
      .planned(Plan(scope: Scope("s"), source: "m", queues: [], files: files, orphans: [], warnings: ["tight"])))
    for outcome in outcomes { report.apply(.ended(outcome)) }
    report.apply(.finished(end))
    return report
  }

  private func outcome(
    _ file: Int, _ state: TaskState, bytes: Int64? = nil, fetched: Int64 = 0, _ error: DLSyncError? = nil
  ) -> FileOutcome {
    var outcome = FileOutcome(file: file, from: .waiting, state: state)
    outcome.bytes = bytes.map { ByteCount($0) }
    outcome.fetchedBytes = ByteCount(fetched)
    outcome.error = error
    return outcome
  }

  @Test func eachFileIsCountedWhereItBelongs() throws {
    let files = [
      try file("new"), try file("empty"), try file("same", .reuse, .unchanged), try file("stale", .download, .stale),
      try file("fallback", .reuse, .copied), try file("bad"), try file("raced"), try file("stopped"),
    ]
    let report = report(
      files,
      [
        outcome(0, .completed, bytes: 10, fetched: 12), outcome(1, .completed, bytes: 0),
        outcome(2, .completed, bytes: 5),
        outcome(3, .completed, bytes: 5), outcome(4, .completed, bytes: 7, fetched: 7),
        outcome(5, .failed, fetched: 3, DLSyncError(.httpStatus, "no")),
        outcome(6, .failed, DLSyncError(.destinationExists, "no")), outcome(7, .waiting),
      ])
    #expect(report.summary.total == 8)
    #expect(report.summary.downloaded == 3)
    #expect(report.summary.reused == 2)
    #expect(report.summary.failed == 1)
    #expect(report.summary.conflicts == 1)
    #expect(report.summary.bytes == ByteCount(17))
    #expect(report.summary.fetchedBytes == ByteCount(22))
    #expect(report.summary.seconds == 2)
    #expect(report.warnings == ["tight"])
    #expect(report.exitStatus == 1)
  }

  @Test func conflictsOfThePlanCountOnceWhetherReportedOrNot() throws {
    let files = [try file("c", .conflict, .destinationExists), try file("h", .download, .suspended, isHeld: true)]
    for outcomes in [[], [outcome(0, .failed, DLSyncError(.destinationExists, "no")), outcome(1, .suspended)]] {
      let report = report(files, outcomes)
      #expect(report.summary.conflicts == 1)
      #expect(report.summary.held == 1)
      #expect(report.exitStatus == 3)
    }
  }

  @Test func anEndThatIsToldTwiceCountsOnce() throws {
    let once = outcome(0, .completed, bytes: 10, fetched: 10)
    #expect(report([try file("a")], [once, once]).summary.downloaded == 1)
    #expect(report([], [once]).summary.downloaded == 0, "no such file in the plan")
  }

  @Test func handedOverFilesAreCounted() throws {
    var handed = outcome(0, .waiting)
    handed.isHandedOver = true
    let report = report([try file("a")], [handed])
    #expect(report.summary.handedOver == 1)
    #expect(report.exitStatus == 0)
  }

  @Test func theWorstDecidesTheExitStatus() throws {
    let failed = outcome(0, .failed, DLSyncError(.httpStatus, "no"))
    let conflict = try file("c", .conflict, .destinationExists)
    #expect(report([try file("a"), conflict], [failed]).exitStatus == 1)
    #expect(report([conflict], []).exitStatus == 3)
    #expect(report([try file("a")], [failed], RunEnd(seconds: 1, signal: 2)).exitStatus == 130)
    #expect(
      report([], [], RunEnd(seconds: 1, error: DLSyncError(.stateLocked, "no"))).exitStatus == 4)
    #expect(report([], []).exitStatus == 0)
  }
}
