import DLSyncModel
import Testing

@testable import DLSyncCLI

@Suite struct RenderingTests {
  private static func files() throws -> [FilePlan] {
    let inTheWay = DLSyncError(
      .destinationExists, "\"/srv/notes.txt\" holds a file that dlsync does not own", hint: "move it away")
    return [
      FilePlan(entry: try entry("readme.txt"), action: .reuse, reason: .unchanged),
      FilePlan(entry: try entry("bin/tool"), action: .download, reason: .new, bytes: ByteCount(13_002_342)),
      FilePlan(entry: try entry("notes.txt"), action: .conflict, reason: .destinationExists, error: inTheWay),
      FilePlan(entry: try entry("模型.bin"), action: .download, reason: .changed, bytes: ByteCount(512)),
      FilePlan(entry: try entry("evil\u{1b}[2J"), action: .download, reason: .suspended, isHeld: true),
    ]
  }

  @Test func aPlanShowsWhatHappensGroupedByAction() throws {
    let plan = plan(try Self.files())
    let text = captured { PlanText(palette: .plain, columns: nil).write(plan, to: $0) }
    #expect(
      text == """
        + bin/tool     12.4 MiB  new
        ~ 模型.bin        512 B  changed
        - evil\\x1b[2J            suspended
            hint: `dlsync resume DESTINATION` releases what is suspended
        ! notes.txt              destinationExists
            "/srv/notes.txt" holds a file that dlsync does not own
            hint: move it away

        Plan: 2 to download (12.4 MiB), 1 unchanged, 1 conflict, 1 held.

        """)
  }

  @Test func verbosePlansListWhatStays() throws {
    let orphan = Orphan(id: TaskID(value: 1), destination: "/srv/old", url: "https://example.org/old")
    let files = [FilePlan(entry: try entry("a"), action: .reuse, reason: .unchanged)]
    let text = captured {
      PlanText(palette: .plain, columns: nil, isVerbose: true).write(plan(files, orphans: [orphan]), to: $0)
    }
    #expect(
      text == """
        = a  unchanged
          /srv/old  no longer in the manifest

        Plan: 0 to download, 1 unchanged, 0 conflicts, 1 orphan.

        """)
  }

  @Test func quietPlansShowConflictsOnly() throws {
    let plan = plan(try Self.files())
    let text = captured { PlanText(palette: .plain, columns: nil, isQuiet: true).write(plan, to: $0) }
    #expect(text.hasPrefix("! notes.txt  destinationExists\n"))
    #expect(!text.contains("Plan:") && !text.contains("bin/tool"))
  }

  @Test func anEmptyManifestIsSaidAloud() {
    let text = captured { PlanText(palette: .plain, columns: nil).write(plan([]), to: $0) }
    #expect(text == "Plan: 0 to download, 0 unchanged, 0 conflicts.\n")
  }

  @Test func unknownSizesAreNotCountedAsNone() throws {
    var files = [FilePlan(entry: try entry("a"), action: .download, reason: .new)]
    #expect(PlanText.summary(plan(files), .plain) == "Plan: 1 to download, 0 unchanged, 0 conflicts.")
    files.append(FilePlan(entry: try entry("b"), action: .download, reason: .new, bytes: ByteCount(2048)))
    #expect(
      PlanText.summary(plan(files), .plain) == "Plan: 2 to download (at least 2.0 KiB), 0 unchanged, 0 conflicts.")
  }

  @Test func changedQueuesAreShown() throws {
    let declaration = QueueDeclaration(QueueName("large"), QueueConfiguration())
    let queue = QueuePlan(declaration: declaration, action: .update, changes: ["chunkSize", "rate"])
    let text = captured { PlanText(palette: .plain, columns: nil).write(plan([], queues: [queue]), to: $0) }
    #expect(text.hasPrefix("~ queue large: chunkSize, rate\n"))
  }

  @Test(arguments: [20, 40, 60, 80, 120, 500]) func planLinesFitTheTerminal(_ columns: Int) throws {
    var files = try Self.files().filter { $0.action != .conflict }
    files.append(
      FilePlan(
        entry: try entry(String(repeating: "very/long/", count: 30) + "数据"), action: .download, reason: .resume,
        bytes: ByteCount(1 << 40)))
    let text = captured { PlanText(palette: .plain, columns: columns, isVerbose: true).write(plan(files), to: $0) }
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("Plan:") && !$0.hasPrefix("    hint:") }
    #expect(lines.allSatisfy { CharacterWidth.of($0) <= max(columns, 36) }, "\(text)")
  }

  @Test func plansInJSONHaveTheFieldsOfTheContract() throws {
    let file = FilePlan(
      entry: try entry("a", url: "https://example.org/a?token=SECRET&x=1"), action: .download, reason: .new,
      bytes: ByteCount(5))
    let id = file.entry.id
    #expect(
      json { PlanDocument(plan: plan([file]), command: .plan).write(to: $0) }
        == #"{"formatVersion":1,"command":"plan","scope":"demo","manifest":"m.yaml","queues":[],"files":[{"id":"\#(id)","#
        + #""destination":"/srv/a","url":"https://example.org/a?token=…&x=1","queue":"default","priority":0.5,"#
        + #""action":"download","reason":"new","held":false,"bytes":5,"error":null}],"orphans":[],"warnings":[],"#
        + #""summary":{"total":1,"download":1,"reuse":0,"conflict":0,"held":0,"downloadBytes":5}}"#)
  }

  /// One good file, one that failed, one that was reused, one conflict.
  private static func report(signal: Int32? = nil, failing: Bool = true) throws -> Report {
    var report = Report()
    report.apply(.planned(plan(try files())))
    var good = FileOutcome(file: 1, from: .publishing, state: .completed)
    good.bytes = ByteCount(13_002_342)
    good.fetchedBytes = ByteCount(13_002_342)
    report.apply(.ended(good))
    report.apply(.ended(FileOutcome(file: 0, from: .completed, state: .completed)))
    if failing {
      var bad = FileOutcome(file: 3, from: .running, state: .failed)
      bad.error = DLSyncError(.httpStatus, "the server answered 404", hint: "check the URL", .init(statusCode: 404))
      report.apply(.ended(bad))
    }
    report.apply(.finished(RunEnd(seconds: 1.5, signal: signal)))
    return report
  }

  @Test func aReportTellsWhatWentWrongAndSumsUp() throws {
    let report = try Self.report()
    let text = captured { ReportText(palette: .plain).write(report, to: $0) }
    #expect(
      text == """
        ! notes.txt  destinationExists
            https://example.org/a
            "/srv/notes.txt" holds a file that dlsync does not own
            hint: move it away
        ✗ 模型.bin  httpStatus
            https://example.org/a
            the server answered 404
            hint: check the URL
        - evil\\x1b[2J  suspended
            hint: `dlsync resume DESTINATION` releases what is suspended

        Done: 1 downloaded (12.4 MiB, 8.3 MiB/s), 1 reused, 1 conflict, 1 failed, 1 held in 1.5 s.

        """)
  }

  @Test func aStoppedRunSaysWhatIsResumable() throws {
    let report = try Self.report(signal: 2, failing: false)
    let text = captured { ReportText(palette: .plain).write(report, to: $0) }
    #expect(
      text.hasSuffix(
        "Stopped by SIGINT: 1 downloaded (12.4 MiB, 8.3 MiB/s), 1 reused, 1 conflict, 0 failed, 1 held,"
          + " 1 resumable in 1.5 s.\n"))
  }

  @Test func quietReportsSayOnlyWhatFailed() throws {
    let report = try Self.report()
    let text = captured { ReportText(palette: .plain, isQuiet: true).write(report, to: $0) }
    #expect(text.contains("httpStatus") && !text.contains("Done"))
  }

  @Test func coloursAreGoneWithoutAPalette() throws {
    let report = try Self.report()
    #expect(!captured { ReportText(palette: .plain).write(report, to: $0) }.contains("\u{1b}"))
    #expect(captured { ReportText(palette: .colored).write(report, to: $0) }.contains("\u{1b}[31m"))
  }

  @Test func filesOfAReportInJSONHaveTheFieldsOfTheContract() throws {
    let report = try Self.report()
    let text = json { ReportDocument(report: report, manifest: "m.yaml").write(to: $0) }
    #expect(
      text.contains(
        #""action":"download","reason":"changed","held":false,"state":"failed","bytes":null,"fetchedBytes":0,"#
          + #""seconds":null,"attempts":0,"sha256":null,"finalURL":null,"statusCode":null,"warnings":[],"#
          + #""error":{"code":"httpStatus""#))
    #expect(text.hasSuffix(#""seconds":1.5},"exitStatus":1}"#))
    #expect(text.contains(#""state":"suspended""#))
  }

  @Test func aRunThatNeverHadAPlanIsADocumentToo() {
    var report = Report()
    report.apply(.finished(RunEnd(seconds: 0, error: DLSyncError(.stateLocked, "locked"))))
    let text = json { ReportDocument(report: report, manifest: "m.yaml").write(to: $0) }
    #expect(
      text.hasPrefix(
        #"{"formatVersion":1,"command":"apply","manifest":"m.yaml","warnings":[],"error":{"code":"stateLocked""#))
    #expect(text.hasSuffix(#""exitStatus":4}"#))
  }

  @Test func eventsAreLines() throws {
    let files = try Self.files()
    let text = captured { channel in
      var lines = EventLines(JSONWriter(channel))
      lines.write(.planned(plan(files)))
      lines.write(.stateChanged(StateChange(file: 1, from: .waiting, to: .running)))
      lines.write(.progress(file: 1, ProgressSample(completed: ByteCount(5), total: nil, bytesPerSecond: nil)))
      lines.write(.ended(FileOutcome(file: 0, from: .completed, state: .completed)))
      lines.write(.warning(file: nil, "careful"))
    }
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix(#"{"event":"plan","formatVersion":1,"command":"apply""#))
    #expect(
      lines[1]
        == #"{"event":"state","id":"\#(files[1].entry.id)","destination":"/srv/bin/tool","from":"waiting","to":"running"}"#
    )
    #expect(
      lines[2] == #"{"event":"progress","id":"\#(files[1].entry.id)","completedBytes":5,"totalBytes":null,"#
        + #""fractionCompleted":null,"bytesPerSecond":null,"estimatedTimeRemaining":null}"#)
    #expect(lines[3] == #"{"event":"warning","id":null,"message":"careful"}"#)
  }

  @Test func statusIsATable() {
    var done = TaskSnapshot(
      id: TaskID(value: 1), scope: Scope("demo"), queue: .default, url: "https://example.org/a", destination: "/srv/a",
      state: .completed, createdAt: Timestamp(seconds: 0))
    done.totalBytes = ByteCount(2048)
    var failed = done
    failed.state = .failed
    failed.completedBytes = ByteCount(1024)
    failed.error = DLSyncError(.httpStatus, "404")
    let text = captured { StatusText(palette: .plain, columns: nil).write([done, failed], [], to: $0) }
    #expect(
      text == """
        STATE        DONE        SIZE  DESTINATION  ERROR
        completed    100%     2.0 KiB  /srv/a
        failed        50%     2.0 KiB  /srv/a       httpStatus

        2 tasks: 1 completed, 1 failed.

        """)
  }

  @Test func whatNoProcessRunsIsInterrupted() {
    var task = TaskSnapshot(
      id: TaskID(value: 1), scope: Scope("demo"), queue: .default, url: "https://example.org/a", destination: "/srv/a",
      state: .running, createdAt: Timestamp(seconds: 0))
    task.totalBytes = ByteCount(2048)
    var queue = QueueSnapshot(name: .default, scope: Scope("demo"), settings: [])
    func shown() -> String {
      captured { StatusText(palette: .plain, columns: nil).write([task], [queue], to: $0) }
    }
    #expect(shown().contains("interrupted    0%     2.0 KiB  /srv/a\n"))
    #expect(shown().hasSuffix("1 task: 1 interrupted.\n"))
    queue.runningProcess = 7
    #expect(shown().hasSuffix("1 task: 1 running. Running in process 7.\n"))
    queue.scope = Scope("another")
    #expect(shown().hasSuffix("1 task: 1 interrupted. Running in process 7.\n"))
  }

  @Test func anErrorNamesItsCodeAndItsPlaceOnce() {
    var details = DLSyncError.Details()
    details.location = SourceLocation(file: "a.sums", line: 2, column: 1)
    let error = DLSyncError(.manifestInvalid, "a.sums:2: this is no URL", hint: "give one", details)
    #expect(
      ErrorText.render(error, .plain)
        == "dlsync: error: manifestInvalid: a.sums:2: this is no URL\nhint: give one\n")
    let elsewhere = DLSyncError(.manifestInvalid, "this is no URL", details)
    #expect(ErrorText.render(elsewhere, .plain) == "dlsync: error: manifestInvalid: a.sums:2:1: this is no URL\n")
    #expect(ErrorText.render(DLSyncError(.usage, "no"), .plain) == "dlsync: error: no\n")
    #expect(ErrorText.render(DLSyncError(.interrupted, "no"), .plain, showsCode: false) == "dlsync: error: no\n")
  }

  @Test func snapshotsShowNoSecretHeaders() {
    var task = TaskSnapshot(
      id: TaskID(value: 1), scope: Scope("demo"), queue: .default, url: "https://example.org/a", destination: "/srv/a",
      state: .running, createdAt: Timestamp(seconds: 0))
    task.responseHeaders = [HeaderField("Set-Cookie", "SECRET"), HeaderField("ETag", "\"v1\"")]
    task.responseHeaders += [HeaderField("Vary", "a"), HeaderField("X", "y"), HeaderField("vary", "b")]
    task.chunkSize = ByteCount(10)
    task.totalBytes = ByteCount(25)
    let text = json { StatusDocument(tasks: [task], queues: []).write(to: $0) }
    #expect(!text.contains("SECRET"))
    #expect(text.contains(#""responseHeaders":{"ETag":"\"v1\"","Vary":"a, b","X":"y"}"#))
    #expect(text.contains(#""chunks":{"size":10,"total":3,"confirmed":null}"#))
  }

  @Test func recordedSettingsAreLaidOutAsInTheManifest() {
    let settings = QueueConfiguration().settings.map { (key: $0.key, value: $0.value) }
    let text = json { json in json.object { ConfigurationDocument(settings: settings).writeMembers(to: json) } }
    #expect(
      text.contains(#""rate":null,"timeouts":{"connect":15,"request":60,"resource":86400},"retry":{"maxAttempts":3"#))
    #expect(text.contains(#""statusCodes":[408,429,500,502,503,504]},"progressInterval":0.3"#))
    #expect(text.contains(#""minVersion":"1.2"}"#))
  }
}
