import DLSyncTestSupport
import Glibc
import Testing

/// Files that are pipes.
@Suite struct PipeTests {
  private func makePipe(_ name: String, _ sandbox: Sandbox) -> String {
    let path = "\(sandbox.work)/\(name)"
    #expect(mkfifo(path, 0o600) == 0)
    return path
  }

  /// Nobody writes to the pipe, or reads from it: the first signal ends the run all the same.
  @Test(arguments: ["list", "netrc", "report"]) func aPipeKeepsNoRunFromEnding(what: String) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let pipe = makePipe(what == "report" ? "pipe.json" : "pipe", sandbox)
    let each = what == "list" ? ["checksum: { algorithm: sha256, from: pipe }"] : []
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: each)
    let options = what == "netrc" ? ["--netrc=\(pipe)"] : what == "report" ? ["--report", pipe] : []
    let run = try ChildProcess(sandbox.runner.launch(["apply", manifest] + options))
    defer { run.kill() }
    usleep(700_000)
    #expect(run.isRunning)
    run.send(SIGINT)
    let start = run.wait(.seconds(10))
    #expect(start.status == 130 && start.seconds < 3.5, "\(start)")
    #expect((sandbox.published("a") != nil) == (what == "report"))
    if what == "report" { #expect(start.output.contains("1 downloaded"), "\(start)") }
  }

  @Test func aListAndAReportMayBePipes() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 10)
    sandbox.origin.serve("/a", .file(bytes))
    let list = makePipe("list", sandbox)
    let report = makePipe("report.json", sandbox)
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], each: ["checksum: { algorithm: sha256, from: list, name: a }"])
    let result = try sandbox.shell(
      "(sleep 0.3; echo \"$1  a\" > \"$2\") & cat \"$3\" > read & \"$0\" apply \"$4\" --report \"$3\"; s=$?; wait; exit $s",
      try sandbox.sha256(bytes), list, report, manifest)
    #expect(result.status == 0 && sandbox.published("a") == bytes, "\(result)")
    let text = String(decoding: try #require(sandbox.folder.read("work/read")), as: UTF8.self)
    #expect(try JSONValue(text)["summary"]["downloaded"].integer == 1)
  }

  @Test func aManifestMayComeFromAPipeThatLiesNowhere() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 10)
    sandbox.origin.serve("/a", .file(bytes))
    let text = try sandbox.manifest("version: 1\nroot: out\nfiles: [\"\(sandbox.origin.url("/a"))\"]\n")
    let named = try sandbox.manifest(
      "version: 1\nname: piped\nroot: out\nfiles: [\"\(sandbox.origin.url("/a"))\"]\n", name: "named.yaml")
    let nameless = try sandbox.shell("cat \"$1\" | \"$0\" apply /dev/fd/0", text)
    #expect(nameless.status == 2 && nameless.errors.contains("the key `name` is missing"), "\(nameless)")
    let result = try sandbox.shell("cat \"$1\" | \"$0\" apply /dev/fd/0", named)
    #expect(result.status == 0 && sandbox.published("a") == bytes, "\(result)")
    let twice = try sandbox.shell("cat \"$1\" | \"$0\" plan --explain a /dev/fd/0", named)
    #expect(twice.status == 2 && twice.errors.contains("it is read twice"), "\(twice)")
    let locked = try sandbox.shell("cat \"$1\" | \"$0\" lock /dev/fd/0", named)
    #expect(locked.status == 2 && locked.errors.contains("no place for a lock file"), "\(locked)")
  }
}
