import DLSyncTestSupport
import Glibc
import Testing

/// Report files of commands that fetched nothing: a manifest that is wrong, a dry run, a state that cannot be used.
@Suite struct UnusualReportTests {
  private let sandbox: Sandbox
  private static let suffixes = ["html", "json", "md", "xml", "prom"]

  init() throws {
    sandbox = try Sandbox()
    for suffix in Self.suffixes { _ = try sandbox.folder.write("of an earlier run", to: "work/r.\(suffix)") }
  }

  private func apply(_ arguments: String...) throws -> ProcessResult {
    let reports = Self.suffixes.flatMap { ["--report", "r.\($0)"] }
    return try sandbox.runner.run(sandbox.runner.launch(["apply"] + arguments + reports))
  }

  private func report(_ suffix: String) -> String {
    String(decoding: sandbox.folder.read("work/r.\(suffix)") ?? [], as: UTF8.self)
  }

  @Test func aWrongManifestIsInEveryReport() throws {
    let success = "dlsync_last_success_timestamp_seconds{scope=\"demo\"} 1796000001.250\n"
    _ = try sandbox.folder.write(success, to: "work/r.prom")
    let path = try sandbox.manifest("version: 1\nname: demo\nfiles:\n  - url: \"ftp://h/<a>\"\n    sise: 3\n")
    #expect(try apply(path).status == 2)
    for suffix in ["html", "json", "md", "xml"] {
      let text = report(suffix)
      #expect(text.contains("manifestInvalid") && !text.contains("earlier"), "\(suffix): \(text)")
      #expect(text.contains("sise") && (suffix == "json" || !text.contains("<a>")), "\(suffix): \(text)")
    }
    let document = try JSONValue(report("json"))
    #expect(document["error"]["code"].string == "manifestInvalid" && document["diagnostics"].array?.count == 2)
    #expect(document["exitStatus"].integer == 2)
    #expect(report("xml").contains("tests=\"1\" failures=\"0\" errors=\"1\""))
    #expect(report("prom").contains("dlsync_last_run_exit_status{scope=\"\(path)\"} 2\n"), "\(report("prom"))")
    #expect(report("prom").contains("\n" + success), "\(report("prom"))")
  }

  @Test func severalWrongManifestsAreAllThere() throws {
    let one = try sandbox.manifest("version: 1\nfiles: [{ url: \"ftp://one/a\" }]\n", name: "one.yaml")
    let two = try sandbox.manifest("version: 1\nfiles: [{ url: \"ftp://two/a\" }]\n", name: "two.yaml")
    let good = try sandbox.manifest(files: [("/a", "a")])
    #expect(try apply(one, good, two, "\(sandbox.work)/absent.yaml").status == 2)
    for suffix in ["html", "md", "xml"] {
      for name in ["one.yaml", "two.yaml", "absent.yaml"] {
        #expect(report(suffix).contains(name), "\(suffix) \(name)")
      }
    }
    #expect(try JSONValue(report("json"))["diagnostics"].array?.count == 2)
  }

  @Test func aStateThatCannotBeUsedIsToldToo() throws {
    let path = try sandbox.manifest(files: [("/a", "a")])
    _ = try sandbox.folder.write("", to: "work/file")
    #expect(try apply(path, "--state", "\(sandbox.work)/file").status == 4)
    for suffix in ["html", "json", "md", "xml"] { #expect(report(suffix).contains("stateUnavailable"), "\(suffix)") }
  }

  @Test func aDryRunReportsThePlan() throws {
    _ = try sandbox.folder.write("mine", to: "work/out/b")
    let path = try sandbox.manifest(files: [("/a", "a"), ("/b", "b")])
    let result = try apply(path, "--dry-run")
    #expect(result.status == 0 && result.errors.contains("a dry run has no metrics"), "\(result)")
    #expect(report("prom") == "of an earlier run" && sandbox.origin.requests("/a").isEmpty)
    #expect(try JSONValue(report("json"))["summary"]["download"].integer == 1)
    #expect(try JSONValue(report("json"))["command"].string == "plan")
    #expect(report("xml").contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""), "\(report("xml"))")
    #expect(report("md").contains("A dry run: 1 file of 2 to download"), "\(report("md"))")
    #expect(report("html").contains(">dry run</p>") && report("html").contains("to download"))
    let two = try sandbox.manifest(files: [("/c", "c")], name: "two.yaml")
    #expect(try apply(path, two, "--dry-run").status == 0)
    #expect(try JSONValue(report("json"))["summary"]["download"].integer == 2)
  }

  @Test func aReportOfADryRunThatCannotBeWrittenIsAFailure() throws {
    let path = try sandbox.manifest(files: [("/a", "a")])
    let result = try sandbox.run("apply", path, "--dry-run", "--report", "no/folder/r.md")
    #expect(result.status == 1 && result.errors.contains("no/folder/r.md"), "\(result)")
  }

  @Test func theJSONReportHasTheStatusThatTheProgramEndsWith() throws {
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let path = try sandbox.manifest(files: [("/a", "a")])
    for command in [["apply"], ["apply", "--dry-run"]] {
      let launch = sandbox.runner.launch(
        command + [path, path, "--report", "r.json", "--report", "/nowhere/r.html", "--report", "/nowhere/r.json"])
      #expect(try sandbox.runner.run(launch).status == 1, "\(command)")
      #expect(try JSONValue(report("json"))["exitStatus"].integer == 1, "\(command)")
    }
    let result = try sandbox.run("apply", path, "--report", "r.json", "--report", "/nowhere/r.json")
    #expect(try result.status == 1 && JSONValue(report("json"))["exitStatus"].integer == 1, "\(result)")
  }

  @Test func aSignalBetweenTheRunAndItsReportsIsInAllOfThem() throws {
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let path = try sandbox.manifest(files: [("/a", "a")])
    #expect(mkfifo("\(sandbox.work)/pipe.md", 0o600) == 0)
    let reports = ["--report", "pipe.md", "--report", "r.json", "--report", "r.xml"]
    let run = try ChildProcess(sandbox.runner.launch(["apply", path, "--format", "json"] + reports))
    defer { run.kill() }
    #expect(sandbox.origin.wait { _ in sandbox.published("a") != nil })
    usleep(500_000)
    run.send(SIGTERM)
    let result = run.wait(.seconds(10))
    #expect(result.status == 143, "\(result)")
    #expect(try JSONValue(result.output)["exitStatus"].integer == 143)
    #expect(try JSONValue(report("json"))["exitStatus"].integer == 143)
    #expect(report("xml").contains("name=\"exitStatus\" value=\"143\""), "\(report("xml"))")
  }
}
