import DLSyncTestSupport
import Glibc
import Testing

/// Commands to processes that do not answer, to tasks that others remove, and from makers that are gone.
@Suite struct CommandTroubleTests {
  /// A run of three files that is stopped as a debugger would.
  private func stopped(_ sandbox: Sandbox) throws -> ChildProcess {
    let names = ["a", "b", "c"]
    for name in names { sandbox.origin.serve("/\(name)", [.silence, .file(payload(count: 100))]) }
    let manifest = try sandbox.manifest(files: names.map { ("/\($0)", $0) })
    let process = try sandbox.runner.start("apply", manifest)
    #expect(sandbox.origin.wait { $0.liveRequests == 3 })
    process.send(SIGSTOP)
    return process
  }

  @Test func aSilentProcessIsWaitedForOnce() throws {
    let sandbox = try Sandbox()
    let process = try stopped(sandbox)
    let result = try sandbox.run("pause", "--all")
    #expect(result.status == 1 && result.seconds < 20, "\(result)")
    #expect(result.errors.split(separator: "\n").filter { $0.contains("does not answer") }.count == 3, "\(result)")
    process.send(SIGKILL)
    _ = process.wait()
    // Nothing of it is carried out later.
    #expect(try sandbox.run("apply", "manifest.yaml").status == 0)
    #expect(sandbox.published("a") != nil)
  }

  @Test func aLaterCommandIsNotOvertakenByOneWhoseMakerIsGone() throws {
    let sandbox = try Sandbox()
    let process = try stopped(sandbox)
    let maker = try sandbox.runner.start("pause", "a")
    usleep(500_000)
    maker.send(SIGKILL)
    _ = maker.wait()
    process.send(SIGKILL)
    _ = process.wait()
    #expect(try sandbox.run("priority", "0.9", "a").status == 0)
    #expect(try sandbox.run("apply", "manifest.yaml").status == 0)
    #expect(sandbox.published("a") != nil)
    #expect(try sandbox.json("status").document["tasks"][0]["state"].string == "completed")
  }

  @Test func whatSomebodyElseRemovedIsNoneOfAllAnyMore() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serveOthers { _ in .silence }
    let manifest = try sandbox.manifest(files: (0..<12).map { ("/\($0)", "f\($0)") })
    let process = try sandbox.runner.start("apply", manifest)
    #expect(sandbox.origin.wait { $0.liveRequests > 0 })
    let commands = try (0..<4).map { _ in try sandbox.runner.start("remove", "--all") }
    for command in commands {
      let result = command.wait(.seconds(30))
      #expect(result.status == 0, "\(result)")
    }
    #expect(process.wait(.seconds(30)).status == 0)
  }

  @Test(arguments: ["[x]", "a[1].bin", "[x"]) func namesMayLookLikePatterns(name: String) throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/gone", name), ("/gone?2", "other")])
    #expect(try sandbox.run("apply", manifest).status == 1)
    for selector in [name, "out/\(name)", "\(sandbox.out)/\(name)"] {
      let (result, document) = try sandbox.json("resume", selector)
      #expect(result.status == 0 && document["results"].array?.count == 1, "\(selector): \(result)")
      #expect(try sandbox.run("apply", manifest).status == 1)
    }
  }
}
