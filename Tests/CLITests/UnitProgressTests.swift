import DLSyncModel
import DLSyncThreading
import Testing

@testable import DLSyncCLI

@Suite struct ProgressTests {
  /// A run of so many files, all running but the last, with names of every kind.
  private static func state(files count: Int, completed: Int64 = 50) throws -> RunProgress {
    let names = ["short", "模型/大文件数据", String(repeating: "long/", count: 40) + "name", "evil\u{1b}[2J\n"]
    let files = try (0..<count).map { index in
      FilePlan(
        entry: try entry("\(index)-" + names[index % names.count]), action: .download, reason: .new,
        bytes: index % 5 == 4 ? nil : ByteCount(100))
    }
    var state = RunProgress()
    state.apply(.planned(plan(files)))
    for index in 0..<max(0, count - 1) {
      state.apply(.stateChanged(StateChange(file: index, from: .waiting, to: .running)))
      let total = index % 5 == 4 ? nil : ByteCount(100)
      state.apply(
        .progress(
          file: index, ProgressSample(completed: ByteCount(completed), total: total, bytesPerSecond: 1_234_567)))
    }
    return state
  }

  @Test func progressIsAFoldOverEvents() throws {
    var state = try Self.state(files: 3)
    #expect(state.total == 3 && state.finished == 0 && state.running.count == 2)
    #expect(state.overall.completed == ByteCount(100) && state.overall.total == ByteCount(300))
    var outcome = FileOutcome(file: 0, from: .publishing, state: .completed)
    outcome.bytes = ByteCount(100)
    state.apply(.ended(outcome))
    #expect(state.finished == 1 && state.overall.completed == ByteCount(150))
    state.apply(.ended(FileOutcome(file: 1, from: .running, state: .failed)))
    #expect(state.failed == 1 && state.overall.total == ByteCount(200))
    #expect(state.fraction == 0.5)
  }

  @Test func whatWasStoppedOrFailedIsNotWhole() throws {
    let eighth = ProgressSample(completed: ByteCount(8), total: ByteCount(100), bytesPerSecond: nil)
    var stopped = try Self.state(files: 1)
    stopped.apply(.progress(file: 0, eighth))
    let part = stopped.overall
    stopped.apply(.ended(FileOutcome(file: 0, from: .running, state: .waiting)))
    #expect(stopped.finished == 0 && stopped.overall.completed == part.completed && stopped.overall.total == part.total)
    #expect(stopped.fraction == 0.08)
    var failed = try Self.state(files: 1)
    failed.apply(.progress(file: 0, eighth))
    failed.apply(.ended(FileOutcome(file: 0, from: .running, state: .failed)))
    #expect(failed.finished == 1 && failed.failed == 1 && failed.fraction == 0 && failed.overall.total == nil)
  }

  @Test func aResumedFileCountsWithItsWholeSize() throws {
    var state = RunProgress()
    state.apply(
      .planned(plan([FilePlan(entry: try entry("a"), action: .download, reason: .resume, bytes: ByteCount(40))])))
    state.apply(.resumed(file: 0, offset: ByteCount(60), total: ByteCount(100)))
    #expect(state.overall.completed == ByteCount(60) && state.overall.total == ByteCount(100))
  }

  @Test func sizesThatTurnOutDifferentAreCountedAnew() throws {
    var state = RunProgress()
    state.apply(.planned(plan([FilePlan(entry: try entry("a"), action: .download, reason: .new)])))
    #expect(state.overall.total == nil)
    for total in [70, 90] {
      let sample = ProgressSample(completed: ByteCount(45), total: ByteCount(Int64(total)), bytesPerSecond: nil)
      state.apply(.progress(file: 0, sample))
    }
    #expect(state.overall.total == ByteCount(90) && state.fraction == 0.5)
  }

  @Test func filesThatAreNotDownloadedDoNotCount() throws {
    let files = [
      FilePlan(entry: try entry("a"), action: .reuse, reason: .copied),
      FilePlan(entry: try entry("b"), action: .download, reason: .suspended, isHeld: true),
    ]
    var state = RunProgress()
    state.apply(.planned(plan(files)))
    state.apply(.stateChanged(StateChange(file: 0, from: .waiting, to: .publishing)))
    state.apply(.ended(FileOutcome(file: 0, from: .publishing, state: .completed)))
    #expect(state.total == 0 && state.finished == 0 && state.running.isEmpty)
  }

  @Test func linesAreNeverLongerThanTheTerminal() throws {
    let states = [try Self.state(files: 1), try Self.state(files: 6), try Self.state(files: 40, completed: 1 << 60)]
    for columns in 1...500 {
      for (number, state) in states.enumerated() {
        let drawing = BarDrawing(palette: .colored, drawsUnicode: true, rows: 24, columns: columns)
        var screen = UnitScreen(rows: 24, columns: columns)
        var live = LiveScreen()
        screen.write(live.draw(drawing.lines(state), columns: columns))
        #expect(screen.faults.isEmpty, "state \(number), \(columns) columns: \(screen.faults)")
        for line in drawing.lines(state) {
          #expect(line.columns <= max(1, columns - 1), "state \(number), \(columns) columns: \(line.text)")
        }
      }
    }
  }

  @Test func theStatedWidthIsTheRealOne() throws {
    let state = try Self.state(files: 8)
    for columns in [1, 5, 16, 17, 40, 49, 71, 80, 120, 200] {
      for line in BarDrawing(palette: .plain, drawsUnicode: true, rows: 24, columns: columns).lines(state) {
        var screen = UnitScreen(rows: 1, columns: columns + 1)
        screen.write(line.text)
        #expect(screen.column == line.columns && screen.faults.isEmpty, "\(columns) columns: \(line.text)")
      }
    }
  }

  /// Terminals that draw each part of an emoji, give every mark a column, or see none that is not ASCII.
  static let opinions: [@Sendable (Character) -> Int] = [
    { $0.unicodeScalars.reduce(0) { $0 + max(1, CharacterWidth.of(Character($1))) } },
    { $0.isASCII ? 1 : $0.unicodeScalars.count * 2 },
    { $0.isASCII || "━╸─…".contains($0) ? 1 : 0 },
  ]

  @Test(arguments: opinions.indices)
  func columnsStayInPlaceWhateverATerminalThinksOfAName(opinion: Int) throws {
    let measure: (Character) -> Int = { "━╸─…".contains($0) ? 1 : Self.opinions[opinion]($0) }
    let names = ["plain", "👩‍👩‍👧‍👦-👍🏽", "नमस्ते-ข้อมูล", "한국"]
    let size = ByteCount(100)
    var state = RunProgress()
    state.apply(
      .planned(
        plan(try names.map { FilePlan(entry: try entry($0), action: .download, reason: .new, bytes: size) })))
    for index in names.indices {
      let sample = ProgressSample(completed: ByteCount(50), total: size, bytesPerSecond: 10)
      state.apply(.progress(file: index, sample))
    }
    for columns in [20, 60, 80, 120] {
      var screen = UnitScreen(rows: 10, columns: columns, measure: measure)
      var live = LiveScreen()
      for _ in 0..<2 {
        let drawing = BarDrawing(palette: .plain, drawsUnicode: true, rows: 10, columns: columns)
        screen.write(live.draw(drawing.lines(state), columns: columns, rows: 10))
        let ends = screen.cells.prefix(names.count).map { row in row.joined().suffix(columns == 20 ? 5 : columns / 2) }
        #expect(Set(ends).count == 1 && ends[0].contains("50%"), "\(columns): \(screen.lines)")
        #expect(screen.faults.isEmpty && screen.scrolled == 0, "\(columns): \(screen.faults)")
      }
    }
  }

  @Test func aTerminalWithoutUnicodeSeesNone() throws {
    let state = try Self.state(files: 2)
    for columns in 1...120 {
      let drawing = BarDrawing(palette: .colored, drawsUnicode: false, rows: 3, columns: columns)
      let text = (drawing.lines(state) + [drawing.planning(3)]).map(\.text).joined()
      #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(columns): \(text)")
    }
  }

  @Test func thePictureNeverFillsTheScreen() throws {
    let state = try Self.state(files: 100)
    for rows in 1...60 {
      let lines = BarDrawing(palette: .plain, drawsUnicode: true, rows: rows, columns: 80).lines(state)
      #expect(lines.count <= max(1, rows - 1), "\(rows) rows")
    }
    let lines = BarDrawing(palette: .plain, drawsUnicode: true, rows: 6, columns: 80).lines(state)
    #expect(lines[3].text == "… and 96 more")
  }

  @Test func barsAreDrawnInPlaceAndGoneAtTheEnd() throws {
    var screen = UnitScreen(rows: 10, columns: 80)
    var live = LiveScreen()
    screen.write("before\r\n")
    for files in [3, 6, 2, 4, 1] {
      let lines = BarDrawing(palette: .colored, drawsUnicode: true, rows: 10, columns: 80).lines(
        try Self.state(files: files))
      screen.write(live.draw(lines, columns: 80))
      #expect(screen.lines.count == 1 + files)
    }
    screen.write(live.erase(columns: 80))
    screen.write("Done.\r\n")
    #expect(screen.lines == ["before", "Done."])
    #expect(screen.faults.isEmpty && screen.scrolled == 0)
  }

  @Test func atTheBottomTheScreenScrollsOnceOnly() throws {
    var screen = UnitScreen(rows: 5, columns: 40)
    var live = LiveScreen()
    screen.write(String(repeating: "x\r\n", count: 4))
    let lines = BarDrawing(palette: .plain, drawsUnicode: false, rows: 5, columns: 40).lines(try Self.state(files: 3))
    for _ in 0..<50 { screen.write(live.draw(lines, columns: 40)) }
    #expect(screen.scrolled == lines.count - 1)
    #expect(screen.faults.isEmpty)
  }

  @Test func aNarrowedTerminalIsErasedByTheRowsThatItHasNow() {
    let full = LiveScreen.Line(text: String(repeating: "x", count: 79), columns: 79)
    for columns in [79, 41, 40, 39, 13, 3] {
      var screen = UnitScreen(rows: 200, columns: 80)
      var live = LiveScreen()
      screen.write("before\r\n" + live.draw([full, full], columns: 80))
      screen.resize(rows: 200, columns: columns)
      screen.write(live.draw([LiveScreen.Line(text: "new", columns: 3)], columns: columns))
      // No line of somebody else is gone, and nothing of the old picture is left.
      #expect(screen.lines.suffix(1) == ["new"] && screen.lines.joined() == "beforenew", "\(columns): \(screen.lines)")
      screen.write(live.erase(columns: columns))
      #expect(screen.lines.joined() == "before" && screen.faults.isEmpty, "\(columns): \(screen.lines)")
    }
  }

  @Test func aBarShowsHowFarAFileIs() throws {
    var state = RunProgress()
    let file = FilePlan(entry: try entry("bin/tool"), action: .download, reason: .new, bytes: ByteCount(4 << 20))
    state.apply(.planned(plan([file])))
    state.apply(.stateChanged(StateChange(file: 0, from: .waiting, to: .running)))
    let sample = ProgressSample(completed: ByteCount(1 << 20), total: ByteCount(4 << 20), bytesPerSecond: 1_048_576)
    state.apply(.progress(file: 0, sample))
    let lines = BarDrawing(palette: .plain, drawsUnicode: false, rows: 24, columns: 80).lines(state)
    #expect(
      lines.map(\.text) == [
        "bin/tool                  ###.........   25%     1.0 MiB     1.0 MiB/s     0:03",
        "0 of 1 file               ###.........   25%     1.0 MiB     1.0 MiB/s     0:03",
      ])
  }

  @Test func waitsAreCountedDownWithTheirReason() throws {
    var state = try Self.state(files: 3)
    let second: Int64 = 1_000_000_000
    let error = DLSyncError(.httpStatus, "the server answered 503 for \"x\"", .init(statusCode: 503))
    let change = StateChange(file: 0, from: .running, to: .retrying, error: error, delay: .seconds(12))
    state.apply(.stateChanged(change), at: MonotonicInstant(nanoseconds: 5 * second))
    func picture(_ seconds: Int64, columns: Int) -> [String] {
      let now = MonotonicInstant(nanoseconds: seconds * second)
      return BarDrawing(palette: .plain, drawsUnicode: true, rows: 24, columns: columns, now: now).lines(state)
        .map(\.text)
    }
    #expect(picture(5, columns: 80)[0].hasPrefix("0-short"))
    #expect(picture(5, columns: 80)[0].hasSuffix("  retrying in 12 s: the server answered 503"))
    #expect(picture(9, columns: 80)[0].hasSuffix("  retrying in 8 s: the server answered 503"))
    #expect(picture(30, columns: 80)[0].hasSuffix("  retrying soon: the server answered 503"))
    #expect(picture(5, columns: 40)[0] == "0-short    retrying in 12 s: the serve…")
  }

  @Test func aHostThatAsksToBeLeftAloneIsWaitedForByAllItsFiles() throws {
    var state = try Self.state(files: 4)
    let now = MonotonicInstant(nanoseconds: 0)
    let lost = DLSyncError(.connectionLost, "the connection was lost")
    let busy = DLSyncError(.httpStatus, "busy", .init(statusCode: 503, retryAfter: 40))
    func retry(_ file: Int, _ error: DLSyncError, _ seconds: Int) {
      let change = StateChange(file: file, from: .running, to: .retrying, error: error, delay: .seconds(seconds))
      state.apply(.stateChanged(change), at: now)
    }
    retry(0, lost, 1)
    retry(1, busy, 40)
    retry(2, lost, 2)
    let lines = BarDrawing(palette: .plain, drawsUnicode: true, rows: 24, columns: 80, now: now).lines(state)
    for line in lines.prefix(3) { #expect(line.text.contains("retrying in 40 s: "), "\(line.text)") }
  }

  @Test func filesKeepTheirPlacesWhileOthersEnd() throws {
    var state = try Self.state(files: 5)
    let time = MonotonicInstant(nanoseconds: 1_000_000_000)
    state.apply(.ended(FileOutcome(file: 1, from: .publishing, state: .completed)), at: time)
    #expect(state.running.map(\.file) == [0, 1, 2, 3])
    #expect(state.overall.completed == ByteCount(200))
    state.apply(.stateChanged(StateChange(file: 4, from: .waiting, to: .running)), at: time)
    #expect(state.running.map(\.file) == [0, 4, 2, 3])
    state.apply(.ended(FileOutcome(file: 0, from: .running, state: .failed)), at: time)
    state.forgetEnded(before: time)
    #expect(state.running.count == 4)
    state.forgetEnded(before: time.advanced(by: 1))
    #expect(state.running.map(\.file) == [4, 2, 3])
  }

  @Test func linesThatStayAreNotDrawnAgain() {
    var live = LiveScreen()
    let line = LiveScreen.Line(text: "same", columns: 4)
    _ = live.draw([line, LiveScreen.Line(text: "a", columns: 1)], columns: 80)
    #expect(live.draw([line, LiveScreen.Line(text: "b", columns: 1)], columns: 80) == "\r\u{1b}[1A\r\nb\u{1b}[K\r")
    #expect(live.draw([line, LiveScreen.Line(text: "b", columns: 1)], columns: 80) == "")
    // After a resize nobody knows what the terminal has made of them.
    #expect(live.draw([line, LiveScreen.Line(text: "b", columns: 1)], columns: 70).contains("same"))
  }

  @Test(
    arguments: [
      (0, 100, "0/100 B"), (50, 2048, "0.0/2.0 KiB"), (1_048_576, 4_194_304, "1.0/4.0 MiB"),
      (Int64.max, Int64.max, "8.0/8.0 EiB"),
    ] as [(Int64, Int64, String)])
  func sharesAreInTheUnitOfTheTotal(completed: Int64, total: Int64, text: String) {
    #expect(Wording.share(ByteCount(completed), of: ByteCount(total)) == text)
  }

  @Test func plainLinesSayWhatEnded() throws {
    let lines = ProgressLines(palette: .plain, isVerbose: true)
    let state = try Self.state(files: 2)
    var good = FileOutcome(file: 0, from: .publishing, state: .completed)
    good.bytes = ByteCount(2048)
    good.fetchedBytes = ByteCount(2048)
    good.seconds = 2
    #expect(lines.line(.ended(good), state) == "downloaded 0-short (2.0 KiB, 1.0 KiB/s)\n")
    var bad = FileOutcome(file: 0, from: .running, state: .failed)
    bad.error = DLSyncError(.timedOut, "nothing came for 60 s")
    #expect(lines.line(.ended(bad), state) == "failed     0-short: timedOut: nothing came for 60 s\n")
    #expect(lines.line(.ended(FileOutcome(file: 0, from: .running, state: .waiting)), state) == nil)
    let retry = StateChange(file: 0, from: .running, to: .retrying, error: bad.error, delay: .milliseconds(1500))
    #expect(
      lines.line(.stateChanged(retry), state) == "retrying in 1.5 s   0-short: timedOut: nothing came for 60 s\n")
    #expect(lines.summary(state) == "0 of 2 files, 50 B of 200 B (25%), 1.2 MiB/s, 0:01 left\n")
  }

  @Test func aSlowReaderLosesOnlySamples() {
    let mailbox = EventMailbox()
    let sample = ProgressSample(completed: .zero, total: nil, bytesPerSecond: nil)
    for number in 0..<200_000 {
      mailbox.receive([.progress(file: 0, sample)])
      if number % 1000 == 0 { mailbox.receive([.pruned([])]) }
    }
    let events = mailbox.take()
    #expect(events.count < 70_000)
    #expect(events.count { if case .pruned = $0 { true } else { false } } == 200)
  }
}
