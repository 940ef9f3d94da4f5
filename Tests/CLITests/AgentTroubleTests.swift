import DLSyncTestSupport
import Glibc
import Testing

/// Agents that are killed, stopped or locked out of their place, and whoever waits for them.
@Suite struct AgentTroubleTests {
  private static let background = "{ mode: background, chunkSize: 64KiB }"

  @Test func whoWaitsForAKilledAgentStartsAnother() throws {
    try withSandbox { sandbox in
      let bytes = payload(count: 400_000)
      sandbox.origin.serve("/a", [.file(bytes).cut(after: 200_000, .silence), .file(bytes)])
      let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.background)
      let process = try sandbox.runner.start("apply", manifest, "--wait", "--format", "json")
      #expect(sandbox.origin.wait { $0.bodyBytesSent >= 200_000 })
      kill(try #require(try agent(sandbox)), SIGKILL)
      let result = process.wait(.seconds(30))
      #expect(result.status == 0 && !result.timedOut, "\(result)")
      #expect(sandbox.published("a") == bytes)
    }
  }

  @Test func whoWaitsForAStoppedAgentHasNotGotTheFile() throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/a", .silence)
      let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.background)
      let process = try sandbox.runner.start("apply", manifest, "--wait")
      #expect(sandbox.origin.wait { $0.liveRequests > 0 })
      #expect(try sandbox.run("agent", "stop").status == 0)
      let result = process.wait(.seconds(30))
      #expect(result.status == 1 && result.output.contains("dlsync agent start"), "\(result)")
      #expect(!result.output.contains("The agent goes on"), "\(result)")
    }
  }

  @Test(arguments: ["--max-duration=1s", "--fail-fast"]) func limitsEndTheWaitingToo(limit: String) throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/a", .silence)
      let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone", "b")], queue: Self.background)
      let only = limit == "--fail-fast" ? "*" : "a"
      let (result, document) = try sandbox.json("apply", manifest, "--wait", limit, "--only", only)
      #expect(result.seconds < 5, "\(result)")
      #expect(result.status == (limit == "--fail-fast" ? 1 : 0), "\(result)")
      #expect(document["summary"]["handedOver"].integer == 1, "\(result)")
    }
  }

  @Test func endedAgentsDoNotStayBehindAsDeadChildren() throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/a", .silence)
      let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.background)
      let process = try sandbox.runner.start("apply", manifest, "--wait")
      #expect(sandbox.origin.wait { $0.liveRequests > 0 })
      let killed = try #require(try agent(sandbox))
      kill(killed, SIGKILL)
      #expect(until { kill(killed, 0) != 0 })
      process.send(SIGTERM)
      #expect(process.wait(.seconds(20)).status == 143)
    }
  }

  /// Where its lock file is gone, another agent can come up, and both would work on one file.
  @Test func anAgentThatLostItsLockFileGivesWay() throws {
    try withSandbox { sandbox in
      let bytes = payload(count: 400_000)
      sandbox.origin.serve("/a", [.file(bytes).cut(after: 100_000, .silence), .file(bytes)])
      let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.background)
      #expect(try sandbox.run("apply", manifest).status == 0)
      #expect(sandbox.origin.wait { $0.bodyBytesSent >= 100_000 })
      let first = try #require(try agent(sandbox))
      let isRunning = try until { try sandbox.json("status").document["tasks"][0]["state"].string == "running" }
      #expect(isRunning)
      for file in sandbox.folder.files() where file.hasSuffix(".lock") { unlink(sandbox.folder(file)) }
      #expect(try sandbox.run("agent", "start").status == 0)
      #expect(try agent(sandbox) != nil)
      #expect(try sandbox.run("wait", "--all").status == 0)
      #expect(sandbox.published("a") == bytes && sandbox.leftovers == [])
      usleep(700_000)
      #expect(try sandbox.json("status").document["tasks"][0]["state"].string == "completed")
      #expect(try sandbox.run("agent", "stop").status == 0)
      #expect(until { kill(first, 0) != 0 })
    }
  }

  @Test func aSecondAgentSaysInJSONWhoIsTheFirst() throws {
    try withSandbox { sandbox in
      #expect(try sandbox.run("agent", "start").status == 0)
      let process = try agent(sandbox)
      let (result, document) = try sandbox.json("agent", "run")
      #expect(result.status == 0 && document["action"].string == "run", "\(result)")
      #expect(document["process"].integer.map { Int32($0) } == process)
    }
  }

  @Test func aStartedAgentEndsWhenItIsToldTo() throws {
    try withSandbox { sandbox in
      #expect(try sandbox.run("agent", "start", "--idle-exit", "500ms").status == 0)
      let isGone = try until { try agent(sandbox) == nil }
      #expect(isGone)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aSignalEndsTheCommandAtTheEnd(signal: Int32) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let mark = sandbox.folder("mark")
    let process = try sandbox.runner.start(
      "apply", manifest, "--on-complete",
      "sh -c 'trap \"\" TERM INT; echo $$ > \(mark).new; mv \(mark).new \(mark); sleep 50'")
    #expect(until { sandbox.folder.holds("mark") })
    process.send(signal)
    let result = process.wait(.seconds(5))
    #expect(result.status == 128 + signal && result.signal == nil && !result.timedOut, "\(result)")
    #expect(result.errors.contains("was ended: a signal came"), "\(result)")
    let text = String(decoding: try #require(sandbox.folder.read("mark")), as: UTF8.self)
    let hook = try #require(Int32(text.filter(\.isNumber)))
    #expect(until { kill(-hook, 0) != 0 })
  }

  @Test func stoppingTheAgentEndsTheCommandAtTheEnd() throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/a", .file(payload(count: 10)))
      let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.background)
      let mark = sandbox.folder("mark")
      let hook = "sh -c 'trap \"\" TERM; touch \(mark); sleep 50'"
      #expect(try sandbox.run("apply", manifest, "--on-complete", hook).status == 0)
      #expect(until { sandbox.folder.holds("mark") })
      let result = try sandbox.run("agent", "stop")
      #expect(result.status == 0 && result.seconds < 4, "\(result)")
    }
  }

  @Test func whoWaitsForAnotherRunSaysSo() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 300_000)
    sandbox.origin.serve("/a", [.file(bytes).paced(bytesPerSecond: 100_000), .file(bytes)])
    let url = sandbox.origin.url("/a")
    let first = try sandbox.runner.start("get", url, "-o", "a")
    #expect(sandbox.origin.wait { $0.bodyBytesSent > 0 })
    let second = try sandbox.run("get", url, "-o", "a")
    #expect(second.status == 0, "\(second)")
    #expect(second.errors.contains("this command waits"), "\(second)")
    #expect(second.errors.contains("process \(first.processID) runs it"), "\(second)")
    #expect(first.wait(.seconds(30)).status == 0)
    #expect(sandbox.origin.requests("/a").count == 1)
  }

  @Test(arguments: ["pause", "cancel", "resume", "wait"]) func aQueueThatNoTaskIsInIsSaid(command: String) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    #expect(try sandbox.run("apply", try sandbox.manifest(files: [("/a", "a")])).status == 0)
    let result = try sandbox.run(command, "--queue", "defalt")
    #expect(result.status == 1 && result.errors.contains("no task is recorded for \"defalt\""), "\(result)")
    #expect(try sandbox.run(command, "--queue", "default").status == 0)
  }
}
