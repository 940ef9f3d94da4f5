import DLSyncTestSupport
import Glibc
import Testing

/// Commands to a process that reads files to decide what is to be done: that may take as long as reading terabytes.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BusyPlanningTests {
  /// Seconds of hashing in one hole of a file, no space.
  private func makeHole(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #expect(file >= 0 && ftruncate(file, 3 << 29) == 0)
    close(file)
  }

  /// A digest that no file has: it takes the longest to say so.
  private static let digest = "sha512:" + String(repeating: "0", count: 128)

  private func waitForRun(_ sandbox: Sandbox) throws {
    for _ in 0..<200 {
      let queues = try sandbox.json("status").document["queues"].array ?? []
      if queues.contains(where: { $0["running"].integer != nil }) { return }
      usleep(10_000)
    }
  }

  private func state(_ name: String, _ sandbox: Sandbox) throws -> String? {
    let tasks = try sandbox.json("status").document["tasks"].array ?? []
    return tasks.first { $0["destination"].string == "\(sandbox.out)/\(name)" }?["state"].string
  }

  @Test func aCommandIsAnsweredWhileApplyReadsFilesForItsPlan() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/late", [.status(404), .file(payload(count: 1000))])
    let late = try sandbox.manifest(files: [("/late", "late")], name: "late.yaml")
    let text = try #require(sandbox.folder.read("work/late.yaml"))
    #expect(try sandbox.run("apply", late).status == 1)
    makeHole("\(sandbox.out)/hole")
    // The same manifest with one more file, whose bytes must be read.
    let both = try sandbox.folder.write(
      String(decoding: text, as: UTF8.self)
        + "  - { url: \"\(sandbox.origin.url("/hole"))\", destination: hole, checksum: \"\(Self.digest)\" }\n",
      to: "work/late.yaml")
    let run = try sandbox.runner.start("apply", both, "--format", "ndjson")
    defer { run.kill() }
    try waitForRun(sandbox)
    let canceled = try sandbox.run("cancel", "late")
    #expect(canceled.status == 0 && canceled.seconds < 3, "\(canceled)")
    #expect(run.outputSoFar == "", "it has no plan yet")
    #expect(try state("late", sandbox) == "canceled")
    let result = run.wait()
    let events = try result.events()
    #expect(result.status == 3 && events.last?["files"][0]["held"].bool == true, "\(result)")
    #expect(sandbox.origin.requests("/late").count == 1)
  }

  @Test(arguments: [false, true]) func theAgentAnswersWhileItReadsFilesOfWhatWasHandedOver(isLate: Bool) throws {
    let sandbox = try Sandbox()
    defer { _ = try? sandbox.run("agent", "stop") }
    mkdir(sandbox.out, 0o755)
    let bytes = payload(count: 3_000_000)
    sandbox.origin.serve("/slow", .file(bytes).paced(bytesPerSecond: 100_000))
    sandbox.origin.serve("/hole", .file(payload(count: 10)))
    let queue = "{ mode: background, chunkSize: 64KiB, concurrency: 1 }"
    let slow = try sandbox.manifest(files: [("/slow", "slow")], queue: queue)
    if isLate {
      #expect(try sandbox.run("apply", slow).status == 0)
      #expect(sandbox.origin.wait { $0.bodyBytesSent > 0 })
    }
    makeHole("\(sandbox.out)/hole")
    let text = String(decoding: try #require(sandbox.folder.read("work/manifest.yaml")), as: UTF8.self)
    let both = try sandbox.folder.write(
      text + "  - { url: \"\(sandbox.origin.url("/hole"))\", destination: hole, onConflict: replace,"
        + " checksum: \"\(Self.digest)\" }\n", to: "work/manifest.yaml")
    #expect(try sandbox.run("apply", both).status == 0)
    try waitForRun(sandbox)
    usleep(500_000)
    let paused = try sandbox.run("pause", "slow")
    #expect(paused.status == 0, "\(paused)")
    #expect(try state("slow", sandbox) == "suspended")
    let hole = try state("hole", sandbox)
    #expect(hole == "waiting", "it is still read: \(hole ?? "none")")
  }

  @Test func aRunThatWaitsForTheAgentAnswersForItsOwnQueue() throws {
    let sandbox = try Sandbox()
    defer { _ = try? sandbox.run("agent", "stop") }
    sandbox.origin.serve("/slow", .file(payload(count: 900_000)).paced(bytesPerSecond: 100_000))
    sandbox.origin.serve("/own", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      baseURL: \(sandbox.origin.url("/"))
      queues: { agents: { mode: background } }
      files:
      - { url: slow, destination: slow, queue: agents }
      - { url: own, destination: own }
      """)
    let run = try sandbox.runner.start("apply", manifest, "--wait")
    defer { run.kill() }
    #expect(sandbox.origin.wait { $0.bodyBytesSent > 10 && sandbox.published("own") != nil })
    usleep(300_000)
    #expect(try sandbox.run("remove", "own").status == 0)
    #expect(try state("own", sandbox) == nil && run.isRunning)
  }

  @Test func aRunThatWaitsForTheAgentLeavesItWhatIsAskedOfIts() throws {
    let sandbox = try Sandbox()
    defer { _ = try? sandbox.run("agent", "stop") }
    sandbox.origin.serve("/slow", .file(payload(count: 900_000)).paced(bytesPerSecond: 50_000))
    sandbox.origin.serve("/old", .file(payload(count: 10)))
    let queue = "{ mode: background, chunkSize: 64KiB }"
    #expect(
      try sandbox.run("apply", try sandbox.manifest(files: [("/old", "old")], queue: queue), "--wait").status == 0)
    // The queue has a file in it that is to go, and one that comes.
    let manifest = try sandbox.manifest(files: [("/slow", "slow")], queue: queue)
    let run = try sandbox.runner.start("apply", manifest, "--wait", "--prune")
    defer { run.kill() }
    #expect(sandbox.origin.wait { $0.bodyBytesSent > 1000 })
    usleep(500_000)
    let canceled = try sandbox.run("cancel", "slow")
    #expect(canceled.status == 0, "\(canceled)")
    // Whoever fetches it has obeyed.
    let sent = sandbox.origin.bodyBytesSent
    usleep(1_500_000)
    #expect(sandbox.origin.bodyBytesSent <= sent + 50_000)
    #expect(try state("slow", sandbox) == "canceled" && sandbox.leftovers == [])
  }
}
