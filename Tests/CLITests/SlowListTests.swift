import DLSyncTestSupport
import DLSyncThreading
import Testing

/// Lists of checksums whose servers take their time.
@Suite struct SlowListTests {
  private let bytes = payload(count: 5000)

  private func list(_ sandbox: Sandbox, _ names: String...) throws -> Script {
    let sum = try sandbox.sha256(bytes)
    return .file(Array(names.map { "\(sum)  \($0)\n" }.joined().utf8))
  }

  /// One slot, and the first file's list is slow: its host is another one than that of the others.
  @Test func onlyFilesOfASlowListWaitForIt() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b", "c", "d"] { sandbox.origin.serve("/" + name, .file(bytes)) }
    sandbox.origin.serve("/slow", try list(sandbox, "a", "d").delayed(.seconds(4)))
    sandbox.origin.serve("/fast", try list(sandbox, "b"))
    let origin = sandbox.origin
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      queues: { default: { concurrency: 1 } }
      files:
      - { url: "\(origin.url("/a"))", destination: a, checksum: { from: "\(origin.localhostURL("/slow"))" } }
      - { url: "\(origin.url("/d"))", destination: d, checksum: { from: "\(origin.localhostURL("/slow"))" } }
      - { url: "\(origin.url("/b"))", destination: b, checksum: { from: "\(origin.url("/fast"))" } }
      - { url: "\(origin.url("/c"))", destination: c }
      """)
    let result = try sandbox.run("apply", manifest)
    #expect(result.status == 0, "\(result)")
    let asked = origin.requests()
    let begun = try #require(asked.first { $0.path == "/slow" }).time
    for name in ["a", "b", "c", "d"] {
      #expect(sandbox.published(name) == bytes)
      let seconds = try #require(asked.first { $0.path == "/" + name }).time.seconds(since: begun)
      #expect(["a", "d"].contains(name) ? seconds > 3.5 : seconds < 3, "\(name) \(seconds)")
    }
    #expect(origin.requests("/slow").count == 1)
  }

  /// A list for each file, of one host: no more of them are asked for at once than the queue has files.
  @Test func listsOfOneHostComeOneAfterAnother() throws {
    let sandbox = try Sandbox()
    let names = (0..<30).map { "f\($0)" }
    for name in names {
      sandbox.origin.serve("/" + name, .file(bytes))
      sandbox.origin.serve("/\(name).sha256", try list(sandbox, name).delayed(.milliseconds(20)))
    }
    var lines = ["version: 1", "root: out", "queues: { default: { concurrency: 2 } }", "files:"]
    for name in names {
      let url = sandbox.origin.url("/" + name)
      lines.append("- { url: \"\(url)\", destination: \(name), checksum: { from: \"\(url).sha256\" } }")
    }
    let result = try sandbox.run("apply", try sandbox.manifest(lines.joined(separator: "\n") + "\n"))
    #expect(result.status == 0, "\(result)")
    #expect(names.allSatisfy { sandbox.published($0) == bytes })
    #expect(sandbox.origin.peakConcurrency <= 4)
  }

  /// The agent's run goes on with another file all the time.
  @Test func aFileThatComesBackAsksForItsListAgain() throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/long", .file(payload(count: 400_000)).paced(bytesPerSecond: 50_000))
      sandbox.origin.serve("/a", .file(bytes))
      sandbox.origin.serve("/list", [.status(404), try list(sandbox, "a")])
      let origin = sandbox.origin
      let manifest = try sandbox.manifest(
        """
        version: 1
        root: out
        queues: { default: { mode: background } }
        files:
        - { url: "\(origin.url("/long"))", destination: long }
        - { url: "\(origin.url("/a"))", destination: a, checksum: { from: "\(origin.url("/list"))" } }
        """)
      #expect(try sandbox.run("apply", manifest).status == 0)
      let hasFailed = try until { try states(sandbox)["a"] == "failed" }
      #expect(hasFailed)
      #expect(try sandbox.run("resume", "a").status == 0)
      #expect(try sandbox.run("wait", "a").status == 0)
      #expect(sandbox.published("a") == bytes && sandbox.published("long") == nil)
      #expect(origin.requests("/list").count == 2)
    }
  }

  @Test func aSignalEndsTheWaitForAList() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(bytes))
    sandbox.origin.serve("/slow", .silence)
    let url = sandbox.origin.url("/slow")
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: ["checksum: { from: \"\(url)\" }"])
    let process = try sandbox.runner.start("apply", manifest)
    #expect(sandbox.origin.wait { $0.liveRequests > 0 })
    #expect(try sandbox.run("pause", "a").status == 0)
    #expect(try sandbox.run("resume", "a").status == 0)
    process.send(15)
    let result = process.wait(.seconds(5))
    #expect(result.status == 143 && !result.timedOut, "\(result)")
    #expect(try states(sandbox) == ["a": "waiting"])
  }
}
