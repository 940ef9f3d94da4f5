import DLSyncTestSupport
import Testing

/// What users of other tools ran into with exit statuses and with output that floods logs, as whole runs.
@Suite struct OutputAndExitTests {
  private let sandbox: Sandbox
  private static let zeros = String(repeating: "0", count: 64)

  init() throws {
    sandbox = try Sandbox()
    sandbox.origin.serve("/good", .file(payload(count: 3000)))
  }

  private func entry(_ name: String, _ more: String = "") -> String {
    "  - { url: \"\(sandbox.origin.url("/" + name))\", destination: \"\(name)\"\(more) }\n"
  }

  private var bad: String { entry("good?sum", ", checksum: \"sha256:\(Self.zeros)\"") }

  private func manifest(_ entries: [String], root: String = "out", queue: String = "{}") throws -> String {
    try sandbox.manifest(
      "version: 1\nroot: \(root)\nqueues: { default: \(queue) }\nfiles:\n" + entries.joined(), name: "\(root).yaml")
  }

  @Test func oneBadFileIsAFailureInEveryOrder() throws {
    let entries = [entry("good"), entry("gone"), bad]
    for (number, order) in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].enumerated() {
      let path = try manifest(order.map { entries[$0] }, root: "out\(number)")
      let (result, document) = try sandbox.json("apply", path)
      #expect(result.status == 1 && document["exitStatus"].integer == 1, "\(order)")
      #expect(document["summary"]["downloaded"].integer == 1 && document["summary"]["failed"].integer == 2, "\(order)")
      #expect(sandbox.folder.holds("work/out\(number)/good") && !sandbox.folder.holds("work/out\(number)/gone"))
      #expect(try sandbox.run("apply", path, "--quiet").status == 1, "\(order)")
    }
  }

  @Test func theWorstOutcomeDecidesTheStatus() throws {
    let good = try manifest([entry("good")])
    for _ in 0..<2 { #expect(try sandbox.run("apply", good).status == 0) }
    _ = try sandbox.folder.write("mine", to: "work/conflict/good")
    #expect(try sandbox.run("apply", try manifest([entry("good")], root: "conflict")).status == 3)
    #expect(try sandbox.run("apply", try manifest([entry("gone"), entry("good")], root: "conflict")).status == 1)
    let wrong = try sandbox.manifest("version: 1\nfiles: [{ url: \"ftp://h/a\" }]\n", name: "wrong.yaml")
    let asked = sandbox.origin.requests("/good").count
    #expect(try sandbox.run("apply", try manifest([entry("good")], root: "new"), wrong).status == 2)
    #expect(sandbox.origin.requests("/good").count == asked && !sandbox.folder.holds("work/new/good"))
    #expect(try sandbox.run("apply", good, "--no-such-option").status == 2)
    _ = try sandbox.folder.write("", to: "work/file")
    #expect(try sandbox.run("apply", good, "--state", "\(sandbox.work)/file").status == 4)
  }

  @Test(arguments: ["text", "json", "ndjson"], ["good", "gone"])
  func lostOutputIsNeverASuccess(format: String, name: String) throws {
    let path = try manifest([entry(name)])
    var launch = sandbox.runner.launch(["apply", path, "--format", format])
    launch.output = .file("/dev/full")
    let result = try sandbox.runner.run(launch)
    #expect(result.status == 1 && result.errors.contains("standard output could not be written"), "\(result)")
    #expect(sandbox.folder.holds("work/out/good") == (name == "good"))
    launch.arguments = ["plan", path]
    #expect(try sandbox.runner.run(launch).status == 1)
  }

  @Test(
    arguments: [
      [], ["--progress", "plain"], ["--progress", "none"], ["--quiet"], ["--progress", "bar"], ["--color", "never"],
    ], [["CI": "true", "TERM": "xterm-256color"], ["TERM": "dumb"], ["NO_COLOR": "1", "TERM": "xterm"]])
  func logsStayShortAndPlain(options: [String], environment: [String: String]) throws {
    let body = payload(count: 20_000)
    for index in 0..<20 { sandbox.origin.serve("/f\(index)", .file(body).paced(bytesPerSecond: 100_000)) }
    let path = try manifest((0..<20).map { entry("f\($0)") }, queue: "{ concurrency: 10, progressInterval: 100ms }")
    var launch = sandbox.runner.launch(["apply", path] + options)
    launch.environment["NO_COLOR"] = nil
    launch.environment.merge(environment) { $1 }
    let result = try sandbox.runner.run(launch)
    #expect(result.status == 0, "\(result)")
    let text = result.output + result.errors
    #expect(!text.contains("\r") && !text.contains("\u{1b}"), "\(text.debugDescription)")
    let isSilent = options.contains("--quiet")
    #expect(result.output.isEmpty == isSilent, "\(result)")
    let lines = result.errors.split(separator: "\n").count
    #expect(isSilent || options.contains("none") ? lines == 0 : (20...22).contains(lines), "\(result.errors)")
  }

  @Test func aTerminalKeepsItsColoursToItself() throws {
    sandbox.origin.serve("/slow", .file(payload(count: 40_000)).paced(bytesPerSecond: 80_000))
    func terminal(_ environment: [String: String], _ root: String) throws -> String {
      var launch = sandbox.runner.launch(["apply", try manifest([entry("slow")], root: root)])
      launch.environment["NO_COLOR"] = nil
      launch.environment.merge(environment) { $1 }
      launch.output = .terminal
      launch.errors = .terminal
      return try sandbox.runner.run(launch).terminal
    }
    let colours = /\u{1b}\[[0-9;]*m/
    let plain = try terminal(["TERM": "xterm", "NO_COLOR": "1"], "a")
    #expect(!plain.contains(colours) && plain.contains("\u{1b}[K"), "\(plain.debugDescription)")
    #expect(try terminal(["TERM": "xterm"], "b").contains(colours))
    let dumb = try terminal(["TERM": "dumb"], "c")
    #expect(!dumb.contains("\u{1b}") && !dumb.replacing("\r\n", with: "").contains("\r"), "\(dumb.debugDescription)")
  }

  @Test func quietRunsTellErrorsOnly() throws {
    let result = try sandbox.run("apply", try manifest([entry("good"), entry("gone")]), "--quiet")
    #expect(
      result.output.isEmpty && result.errors.contains("httpStatus") && !result.errors.contains("good"), "\(result)")
  }

  @Test(arguments: ["status", "log", "cache info", "state check", "agent status"])
  func quietCommandsTellErrorsOnly(command: String) throws {
    #expect(try sandbox.run("apply", try manifest([entry("good")])).status == 0)
    let words = command.split(separator: " ").map(String.init) + ["--quiet"]
    let result = try sandbox.runner.run(sandbox.runner.launch(words))
    #expect(result.status == 0 && result.output == "" && result.errors == "", "\(result)")
  }

  @Test func aSignalThatComesTwiceAtOnceIsOne() throws {
    sandbox.origin.serve("/a", .file(payload(count: 300_000)).paced(bytesPerSecond: 50_000))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    // timeout(1) sends it to the process and to its group.
    let result = try sandbox.shell("timeout 1 \"$0\" apply \"$1\" --format json", manifest)
    #expect(try JSONValue(result.output)["exitStatus"].integer == 143, "\(result)")
  }
}
