import DLSyncTestSupport
import Glibc
import Testing

/// Whole runs at a pseudo-terminal: what the screen shows, cell by cell.
@Suite struct ScreenTests {
  private let sandbox: Sandbox
  private let manifest: String

  /// One file that stands still at a half, one with a wide name at a quarter, one that waits to be tried again, one that is
  /// not there.
  init() throws {
    sandbox = try Sandbox()
    let bytes = payload(count: 1 << 20)
    sandbox.origin.serve("/half", .file(bytes).cut(after: 1 << 19, .silence))
    sandbox.origin.serve("/quarter", .file(bytes).cut(after: 1 << 18, .silence))
    sandbox.origin.serve("/busy", .status(503).with("Retry-After", "50"))
    manifest = try sandbox.manifest(
      files: [("/half", "alpha.bin"), ("/quarter", "模型/数据.bin"), ("/busy", "busy.bin"), ("/gone", "gone.bin")],
      queue: "{ concurrency: 8, progressInterval: 100ms }")
  }

  private func launch() -> Launch {
    var launch = sandbox.runner.launch(["apply", manifest])
    launch.environment["TERM"] = "xterm-256color"
    launch.environment["SWIFT_BACKTRACE"] = "enable=no"
    launch.errors = .terminal
    return launch
  }

  private static func bar(_ full: Int, _ half: Bool, _ columns: Int) -> String {
    String(repeating: "━", count: full) + (half ? "╸" : "")
      + String(repeating: "─", count: columns - full - (half ? 1 : 0))
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// What each row begins with, at this size; what follows are speeds and times, which nobody can foretell. `#` is a digit.
  static let pictures: [(columns: UInt16, rows: UInt16, begins: [String])] = [
    (
      80, 24,
      [
        "alpha.bin" + blanks(17) + bar(6, false, 12) + "   50%   512.0 KiB",
        "模型/数据.bin" + blanks(13) + bar(3, false, 12) + "   25%   256.0 KiB",
        "busy.bin" + blanks(18) + "retrying in ## s: the server answered 503",
        "1 of 4 files, 1 failed" + blanks(4) + bar(5, false, 12) + "   43%   768.0 KiB",
      ]
    ),
    (
      40, 24,
      [
        "alpha.bin" + blanks(13) + bar(5, true, 11) + "   50%",
        "模型/数据.bin" + blanks(9) + bar(2, true, 11) + "   25%",
        "busy.bin   retrying in ## s: the serve…", "1/4, 1 failed" + blanks(9) + bar(4, true, 11) + "   43%",
      ]
    ),
    (20, 10, ["alpha.bin       50%", "模型/数据.bin   25%", "b…in  retrying in …", "1/4, 1 failed   43%"]),
    (
      500, 24,
      [
        "alpha.bin" + blanks(406) + bar(18, false, 36) + "   50%        0.5/1.0 MiB",
        "模型/数据.bin" + blanks(402) + bar(9, false, 36) + "   25%        0.3/1.0 MiB",
        "busy.bin" + blanks(407) + "retrying in ## s: the server answered 503",
        "1 of 4 files, 1 failed" + blanks(393) + bar(15, true, 36) + "   43%          768.0 KiB",
      ]
    ),
    (80, 4, ["alpha.bin" + blanks(17) + bar(6, false, 12), "… and 2 more", "1 of 4 files, 1 failed"]),
    (1, 5, ["…", "…", "…", "…"]),
    (80, 24, ["alpha.bin", "模型/数据.bin", "busy.bin" + blanks(18) + "retrying in", "1 of 4 files, 1 failed"]),
  ]

  /// Whether these rows are the picture and nothing else.
  private static func shows(_ lines: some Collection<String>, _ begins: [String]) -> Bool {
    guard lines.count == begins.count else { return false }
    return zip(lines, begins).allSatisfy { line, begin in
      line.count >= begin.count && zip(line, begin).allSatisfy { $1 == "#" ? $0.isNumber : $0 == $1 }
    }
  }

  /// What is wrong with the drawing. A drawing that was on its way when the terminal shrank may reach for the row above the
  /// first, where every terminal stops.
  private static func faults(_ screen: UnitScreen, isResized: Bool) -> [String] {
    screen.faults.filter { !isResized || $0 != "the cursor leaves the screen at the top" }
  }

  @Test func theScreenIsRightThroughFailuresAndResizes() throws {
    let prompt = "$ dlsync apply"
    let session = try TerminalSession(launch(), size: .init(columns: 80, rows: 24), before: prompt + "\r\n")
    var isPromptThere = true
    for (number, picture) in Self.pictures.enumerated() {
      if number > 0 { session.resize(columns: picture.columns, rows: picture.rows) }
      // Where the terminal is too small for it, the line of the shell goes out at the top, for good.
      if picture.rows < 10 { isPromptThere = false }
      let screen = session.wait { screen in
        let lines = screen.lines
        let isThere = !isPromptThere || lines.first == prompt
        return isThere
          && Self.shows(isPromptThere ? lines.dropFirst() : lines.suffix(picture.begins.count), picture.begins)
          && Self.faults(screen, isResized: number > 0).isEmpty
      }
      let lines = isPromptThere ? screen.lines.dropFirst() : screen.lines.suffix(picture.begins.count)
      #expect(Self.shows(lines, picture.begins), "\(number): \(picture.columns) × \(picture.rows): \(screen.lines)")
      #expect(Self.faults(screen, isResized: number > 0).isEmpty, "\(number): \(screen.faults)")
      #expect(!screen.isCursorVisible, "\(number)")
      #expect(!isPromptThere || screen.lines.first == prompt, "\(number): \(screen.lines)")
      if picture.columns > 1 {
        #expect(screen.cells.allSatisfy { $0.last == " " }, "\(number): the last column is used")
      }
    }
    session.process.send(SIGINT)
    let result = session.process.wait(.seconds(20))
    #expect(result.status == 130 && result.output.contains("Stopped by SIGINT"), "\(result)")
    let screen = session.screen
    #expect(screen.lines.last?.hasPrefix("dlsync: stopping after SIGINT") == true, "\(screen.lines)")
    #expect(screen.isCursorVisible && screen.column == 0)
    #expect(result.terminal.contains("failed: the server answered 404"))
  }

  @Test func aShellCanStopAndContinueARun() throws {
    var launch = launch()
    launch.arguments = ["--norc", "--noprofile", "--noediting", "-i"]
    launch.executable = "/bin/bash"
    launch.environment["PS1"] = "$ "
    launch.output = .terminal
    let folder = sandbox.runner.binary.dropLast("/dlsync".count)
    launch.environment["PATH"] = "\(folder):/usr/bin:/bin"
    let session = try TerminalSession(launch, size: .init(columns: 120, rows: 30))
    session.process.type("dlsync apply manifest.yaml\n")
    func isRunning(_ screen: UnitScreen) -> Bool {
      !screen.isCursorVisible && screen.lines.last?.hasPrefix("1 of 4 files, 1 failed") == true
        && screen.lines.contains { $0.hasPrefix("alpha.bin") }
    }
    #expect(isRunning(session.wait(until: isRunning)), "\(session.screen.lines)")
    session.process.type("\u{1a}")
    func isStopped(_ screen: UnitScreen) -> Bool {
      screen.isCursorVisible && screen.lines.last == "$" && screen.lines.contains { $0.contains("Stopped") }
    }
    let stopped = session.wait(until: isStopped)
    #expect(isStopped(stopped), "\(stopped.lines)")
    session.process.type("bg\n")
    usleep(700_000)
    let background = session.screen
    #expect(background.isCursorVisible && background.lines.last == "$", "\(background.lines)")
    session.process.type("fg\n")
    let continued = session.wait(until: isRunning)
    #expect(isRunning(continued), "\(continued.lines)")
    // Below what the shell wrote, and whole.
    let place = continued.lines.lastIndex { $0.contains("apply manifest.yaml") }
    let picture = continued.lines.lastIndex { $0.hasPrefix("alpha.bin") }
    #expect(place.map { $0 + 1 } == picture, "\(continued.lines)")
    session.process.type("\u{3}")
    func hasEnded(_ screen: UnitScreen) -> Bool { screen.isCursorVisible && screen.lines.last == "$" }
    let ended = session.wait(until: hasEnded)
    #expect(hasEnded(ended) && ended.lines.contains { $0.hasPrefix("Stopped by SIGINT:") }, "\(ended.lines)")
    // The picture of the stopped run stays where the shell scrolled it; the other one is gone.
    #expect(ended.lines.count { $0.hasPrefix("alpha.bin") } == 1, "\(ended.lines)")
    session.process.type("exit 7\n")
    #expect(session.process.wait(.seconds(20)).status == 7)
  }

  @Test func aWatchLeavesItsLastPictureWhole() throws {
    var launch = launch()
    launch.arguments = ["status", "--watch"]
    launch.output = .terminal
    let session = try TerminalSession(launch, size: .init(columns: 80, rows: 24))
    func shows(_ screen: UnitScreen) -> Bool { screen.lines == ["0 tasks"] }
    #expect(shows(session.wait(until: shows)), "\(session.screen.lines)")
    session.process.type("x")
    _ = session.wait { $0.lines == ["x tasks"] }
    session.process.send(SIGINT)
    #expect(session.process.wait(.seconds(20)).status == 130)
    #expect(shows(session.screen) && session.screen.isCursorVisible, "\(session.screen.lines)")
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGQUIT, SIGTERM, SIGHUP])
  func theCursorIsBackHoweverTheRunEnds(signal: Int32) throws {
    let session = try TerminalSession(launch(), size: .init(columns: 80, rows: 24))
    let screen = session.wait { !$0.isCursorVisible && $0.lines.count == 4 }
    #expect(!screen.isCursorVisible, "\(screen.lines)")
    session.process.send(signal)
    let result = session.process.wait(.seconds(20))
    #expect(result.status == 128 + signal, "\(result)")
    #expect(session.screen.isCursorVisible && session.screen.column == 0, "\(result)")
  }
}
