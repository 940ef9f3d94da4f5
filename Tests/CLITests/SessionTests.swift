import DLSyncTestSupport
import Glibc
import Testing

/// A day with a background queue, on several terminals: one is closed, others look and command, the agent dies.
@Suite struct SessionTests {
  /// What `status --watch` shows on a terminal of so many columns, once it shows all these words.
  private func watch(_ sandbox: Sandbox, columns: UInt16, until words: String...) throws -> String {
    var launch = sandbox.runner.launch(["status", "--watch"])
    launch.environment["TERM"] = "xterm-256color"
    launch.output = .terminal
    launch.errors = .terminal
    let session = try TerminalSession(launch, size: .init(columns: columns, rows: 10))
    _ = session.wait { screen in words.allSatisfy { word in screen.lines.contains { $0.contains(word) } } }
    session.process.send(SIGINT)
    let result = session.process.wait(.seconds(10))
    #expect(result.status == 130, "\(result)")
    #expect(session.screen.faults.isEmpty, "\(session.screen.faults)")
    return result.terminal
  }

  @Test(.timeLimit(.minutes(3))) func aBackgroundQueueOutlivesTerminalsAndAgents() throws {
    let sandbox = try Sandbox()
    defer { _ = try? sandbox.run("agent", "stop") }
    let names = ["a", "b", "c", "d"]
    let bytes = payload(count: 2_000_000)
    for name in names { sandbox.origin.serve("/\(name)", .file(bytes).paced(bytesPerSecond: 120_000)) }
    let manifest = try sandbox.manifest(
      files: names.map { ("/\($0)", $0) }, queue: "{ mode: background, concurrency: 2, chunkSize: 64KiB }")
    // The terminal is closed when the command has returned.
    let handed = try sandbox.runner.runOnTerminal("apply", manifest, outputToo: true)
    #expect(handed.status == 0 && handed.seconds < 5, "\(handed)")
    #expect(sandbox.origin.wait { $0.liveRequests == 2 })

    let wide = try watch(sandbox, columns: 100, until: "running", "%", "/s")
    #expect(wide.contains("running") && wide.contains("%") && wide.contains("/s"), "\(wide)")
    #expect(try watch(sandbox, columns: 40, until: "running").contains("running"))

    #expect(try sandbox.run("reorder", "d", "c", "b", "a").status == 0)
    let paused = try sandbox.run("pause", "a")
    #expect(paused.status == 0 && paused.seconds < 3, "\(paused)")
    // The place that "a" left goes to the first in the new order.
    #expect(sandbox.origin.wait { _ in !sandbox.origin.requests("/d").isEmpty })
    #expect(sandbox.origin.requests("/c").isEmpty)
    #expect(try sandbox.run("cancel", "c").status == 0)
    #expect(try states(sandbox)["a"] == "suspended" && states(sandbox)["c"] == "canceled")

    let first = try #require(try agent(sandbox))
    kill(first, SIGKILL)
    for name in names { sandbox.origin.serve("/\(name)", .file(bytes)) }
    #expect(try sandbox.run("resume", "a").status == 0)
    #expect(sandbox.origin.wait(.seconds(20)) { _ in sandbox.origin.requests("/a").count == 2 })
    #expect(try agent(sandbox) != first)
    let waited = try sandbox.run("wait", "a", "b", "d")
    #expect(waited.status == 0, "\(waited)")
    for name in ["a", "b", "d"] { #expect(sandbox.published(name) == bytes, "\(name)") }
    #expect(sandbox.published("c") == nil)
    #expect(try sandbox.run("restart", "c").status == 0)
    #expect(try sandbox.run("wait", "--all").status == 0)
    #expect(sandbox.published("c") == bytes && sandbox.leftovers == [])
    #expect(sandbox.origin.requests("/a").last?.header("Range") != nil, "it goes on from what was confirmed")
  }
}
