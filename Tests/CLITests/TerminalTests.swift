import DLSyncTestSupport
import Testing

@Suite struct TerminalTests {
  @Test func terminalsSeeABarThatIsGoneAtTheEnd() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 400_000)).paced(bytesPerSecond: 400_000))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let result = try sandbox.runner.runOnTerminal("apply", manifest, size: .init(columns: 60, rows: 20))
    #expect(result.status == 0, "\(result)")
    #expect(result.terminal.contains("%"), "\(result)")
    #expect(result.terminal.contains("\u{1b}["))
    #expect(result.output.contains("Done: 1 downloaded"))
    #expect(!result.output.contains("\u{1b}"))
  }

  @Test(arguments: [1, 7, 20, 60, 110, 500] as [UInt16])
  func everyTerminalIsLeftCleanAfterRetries(columns: UInt16) throws {
    let sandbox = try Sandbox()
    let busy = Script.status(503).with("Retry-After", "1")
    sandbox.origin.serve("/a", [busy, .file(payload(count: 200_000)).paced(bytesPerSecond: 400_000)])
    let manifest = try sandbox.manifest(
      files: [("/a", "folder/" + String(repeating: "long", count: 20))],
      queue: "{ retry: { maxAttempts: 3, baseDelay: 600ms }, progressInterval: 100ms }")
    let size = Launch.TerminalSize(columns: columns, rows: 6)
    let result = try sandbox.runner.runOnTerminal("apply", manifest, size: size)
    #expect(result.status == 0, "\(result)")
    if columns >= 60 {
      #expect(
        result.terminal.contains("retrying in 1 s: the server answered 503"), "\(result.terminal.debugDescription)")
    }
    var screen = UnitScreen(rows: 6, columns: Int(columns))
    screen.write(result.terminal)
    #expect(screen.faults.isEmpty && screen.lines == [], "\(screen.faults) \(screen.lines)")
    #expect(result.terminal.hasSuffix("\u{1b}[?25h"))
  }

  @Test(arguments: ["none", "plain"])
  func progressCanBeChosen(how: String) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 1000)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let result = try sandbox.runner.runOnTerminal("apply", manifest, "--progress", how, "--color", "never")
    #expect(!result.terminal.contains("\u{1b}"), "\(result)")
    #expect(result.terminal.isEmpty == (how == "none"), "\(result)")
  }

  @Test func pipesSeeLines() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 1000)))
    let result = try sandbox.run("apply", try sandbox.manifest(files: [("/a", "a"), ("/gone", "b")]))
    #expect(!result.errors.contains("\r") && !result.errors.contains("\u{1b}"))
    #expect(result.errors.split(separator: "\n").count < 12, "\(result.errors)")
  }

  @Test func namesCannotSteerTheTerminal() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/gone", "a\\e[31mred\\u202e")])
    for command in ["plan", "apply"] {
      let result = try sandbox.run(command, manifest)
      let text = result.output + result.errors
      #expect(!text.contains("\u{1b}") && !text.contains("\u{202e}"), "\(text.debugDescription)")
      #expect(text.contains("\\x1b[31mred"), "\(text.debugDescription)")
    }
  }

  @Test(arguments: [["export", "curl", "manifest.yaml"], ["plan", "--format", "json", "manifest.yaml"]])
  func namesInListsAndDocumentsCannotEither(arguments: [String]) throws {
    let sandbox = try Sandbox()
    try sandbox.manifest(files: [("/gone", "a\\e[31mred\\u009b2J\\u202e")])
    let shown = try sandbox.runner.runOnTerminal(
      arguments[0], arguments[1], arguments[2], arguments.count > 3 ? arguments[3] : "-q", "--color=never",
      outputToo: true)
    for scalar in ["\u{1b}", "\u{9b}", "\u{202e}"] {
      #expect(!shown.terminal.contains(scalar), "\(shown.terminal.debugDescription)")
    }
    #expect(shown.terminal.contains("[31mred"), "\(shown.terminal.debugDescription)")
    // In a file they are what they are.
    let written = try sandbox.run("export", "curl", "manifest.yaml")
    #expect(written.output.unicodeScalars.contains("\u{9b}"), "\(written)")
  }

  @Test func colorsAreForTerminalsOnly() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    var launch = sandbox.runner.launch(["plan", manifest])
    launch.environment["NO_COLOR"] = nil
    launch.environment["TERM"] = "xterm"
    #expect(try !sandbox.runner.run(launch).output.contains("\u{1b}"))
    launch.arguments.append("--color=always")
    #expect(try sandbox.runner.run(launch).output.contains("\u{1b}"))
    let onTerminal = try sandbox.runner.runOnTerminal("plan", manifest, outputToo: true)
    #expect(onTerminal.terminal.contains("\u{1b}"))
  }
}
