import DLSyncTestSupport
import Glibc
import Synchronization
import Testing

/// Commands from other processes, to a run and to the record.
@Suite struct ControlTests {
  @Test func aRunAnswersWithinHalfASecondAndGoesOnWithTheOthers() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 600_000)
    sandbox.origin.serve("/slow", .file(bytes).paced(bytesPerSecond: 150_000))
    for name in ["a", "b"] { sandbox.origin.serve("/\(name)", .file(bytes)) }
    let manifest = try sandbox.manifest(
      files: ["slow", "a", "b"].map { ("/\($0)", $0) }, queue: "{ concurrency: 1, chunkSize: 64KiB }")
    let run = try sandbox.runner.start("apply", manifest, "--format", "json")
    defer { run.kill() }
    #expect(sandbox.origin.wait { $0.bodyBytesSent > 100_000 })
    let paused = try sandbox.run("pause", "slow", "b")
    #expect(paused.status == 0 && paused.seconds < 3, "\(paused)")
    #expect(try states(sandbox)["slow"] == "suspended" && states(sandbox)["b"] == "suspended")
    let result = run.wait()
    #expect(result.status == 0, "\(result)")
    let files = try JSONValue(result.output)["files"].array ?? []
    #expect(files.map { $0["state"].string } == ["suspended", "completed", "suspended"])
    #expect(files.map { $0["held"].bool } == [true, false, true])
    #expect(sandbox.origin.requests("/b").isEmpty)
    #expect(try sandbox.run("resume", "--all").status == 0)
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(sandbox.published("slow") == bytes && sandbox.leftovers == [])
  }

  @Test func whatIsHeldIsNamedWithTheWayToReleaseIt() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: ["a", "b", "c"].map { ("/\($0)", $0) })
    #expect(try sandbox.run("apply", manifest).status == 1)
    sandbox.origin.serve("/c", .file(payload(count: 10)))
    #expect(try sandbox.run("cancel", "a").status == 0)
    #expect(try sandbox.run("restart", "b").status == 0)
    #expect(try sandbox.run("pause", "b").status == 0)
    let plan = try sandbox.run("plan", manifest)
    let apply = try sandbox.run("apply", manifest)
    #expect(plan.status == 0 && apply.status == 0, "\(plan), \(apply)")
    for output in [plan.output, apply.output] {
      #expect(output.contains("- a") && output.contains("`dlsync restart DESTINATION` releases what is canceled\n"))
      #expect(output.contains("- b") && output.contains("`dlsync resume DESTINATION` releases what is suspended\n"))
    }
    #expect(try !sandbox.run("apply", manifest, "--quiet").output.contains("dlsync"))
    #expect(try sandbox.run("apply", manifest, "--quiet", "--only", "c").output == "")
  }

  @Test func whatIsResumedDuringTheRunIsFetchedByIt() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 500_000)
    for name in ["a", "b"] { sandbox.origin.serve("/\(name)", .file(bytes).paced(bytesPerSecond: 200_000)) }
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/b", "b")], queue: "{ chunkSize: 64KiB }")
    let run = try sandbox.runner.start("apply", manifest, "--format", "json")
    defer { run.kill() }
    #expect(sandbox.origin.wait { $0.liveRequests == 2 })
    #expect(try sandbox.run("pause", "a").status == 0)
    #expect(try sandbox.run("resume", "a").status == 0)
    let result = run.wait()
    #expect(result.status == 0, "\(result)")
    #expect(try JSONValue(result.output)["summary"]["downloaded"].integer == 2)
    #expect(sandbox.published("a") == bytes)
  }

  @Test(arguments: ["pause", "cancel", "remove"])
  func whoeverWaitsForAFileThatLeavesTheRunIsFetchedForItself(verb: String) throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 100_000)
    sandbox.origin.serve("/slow", .file(payload(count: 400_000)).paced(bytesPerSecond: 200_000))
    sandbox.origin.serve("/twin", .file(bytes))
    // The third is a copy of the second, which has not begun when it is taken out.
    let manifest = try sandbox.manifest(
      files: [("/slow", "slow"), ("/twin", "first"), ("/twin", "second")], queue: "{ concurrency: 1 }")
    let run = try sandbox.runner.start("apply", manifest, "--format", "json")
    defer { run.kill() }
    #expect(sandbox.origin.wait { $0.bodyBytesSent > 0 })
    #expect(try sandbox.run(verb, "first").status == 0)
    let result = run.wait(.seconds(20))
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.published("second") == bytes && sandbox.origin.requests("/twin").count == 1)
  }

  @Test func commandsNameWhatTheyCouldNotDo() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone", "b")])
    #expect(try sandbox.run("apply", manifest).status == 1)
    let (result, document) = try sandbox.json("resume", "a", "b", "c")
    #expect(result.status == 1 && document["exitStatus"].integer == 1)
    let errors = (document["results"].array ?? []).map { $0["error"]["code"].string }
    #expect(errors == ["taskNotFound", "usage", nil])
    #expect(try states(sandbox) == ["a": "completed", "b": "waiting"])
    #expect(try sandbox.run("cancel", "--all").status == 0, "what does not take the command is passed over")
    for arguments in [["pause"], ["priority", "2", "--all"], ["priority", "--all"], ["headers", "--all"]] {
      #expect(try sandbox.runner.run(sandbox.runner.launch(arguments)).status == 2, "\(arguments)")
    }
  }

  @Test func priorityAndOrderDecideWhatComesNext() throws {
    let sandbox = try Sandbox()
    let names = ["a", "b", "c", "d"]
    for name in names { sandbox.origin.serve("/\(name)", .status(404)) }
    let manifest = try sandbox.manifest(
      files: names.map { ("/\($0)", $0) }, queue: "{ concurrency: 1, retry: { maxAttempts: 1 } }")
    #expect(try sandbox.run("apply", manifest).status == 1)
    #expect(try sandbox.run("priority", "0.9", "c").status == 0)
    #expect(try sandbox.run("reorder", "b", "a", "d", "c").status == 0)
    #expect(try sandbox.run("reorder", "b", "a").status == 2)
    let before = sandbox.origin.requests().count
    #expect(try sandbox.run("apply", manifest).status == 1)
    #expect(sandbox.origin.requests().dropFirst(before).map(\.path) == ["/c", "/b", "/a", "/d"])
  }

  @Test func aManifestThatIsGoneIsMeantByItsPathOrName() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b"] { sandbox.origin.serve("/\(name)", .file(payload(count: 10))) }
    func write(_ head: String, _ name: String) throws -> String {
      try sandbox.folder.write(
        "version: 1\n\(head)files:\n  - { url: '\(sandbox.origin.url("/\(name)"))', destination: \(name) }\n",
        to: "work/\(name).yaml")
    }
    for manifest in [try write("", "a"), try write("name: other\n", "b")] {
      #expect(try sandbox.run("apply", manifest).status == 0)
      #expect(unlink(manifest) == 0)
    }
    #expect(try sandbox.run("remove", "--manifest", "c.yaml").status == 2)
    #expect(try sandbox.run("log", "--manifest", "a.yaml").output.contains("/a (10 B)"))
    #expect(try sandbox.run("remove", "--manifest", "a.yaml").output == "remove: 1 task.\n")
    #expect(try states(sandbox) == ["b": "completed"])
    #expect(try sandbox.run("remove", "--manifest", "other").output == "remove: 1 task.\n")
    #expect(try states(sandbox) == [:])
  }

  @Test func theLogTellsOfRunsThatEndedBadlyOrChangedSomething() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    try sandbox.folder.write("mine", to: "work/out/a")
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("apply", manifest).status == 3)
    #expect(try sandbox.run("apply", manifest).status == 3)
    #expect(try sandbox.run("apply", manifest, "--on-conflict", "replace").status == 0)
    #expect(try sandbox.run("apply", manifest).status == 0, "everything is in place: this one is not told")
    let closed = try sandbox.manifest(files: [("/a", "a")], each: ["permissions: \"0600\""])
    #expect(try sandbox.run("apply", closed).status == 0)
    #expect(try sandbox.run("apply", closed, "--locked").status == 1)
    let events = try sandbox.json("log").document["events"].array ?? []
    let ends = events.filter { $0["event"].string == "runFinished" }
    #expect(ends.map { $0["exitStatus"].integer } == [3, 3, 0, 0, 1], "\(events)")
    #expect(events.filter { $0["event"].string == "runBegun" }.count == 5)
    #expect(ends.first?["summary"]["conflicts"].integer == 1)
    #expect(ends.last?["error"]["code"].string == "lockOutdated")
    #expect(try sandbox.run("log").output.contains("1 conflict, "))
  }

  @Test func theLogTellsWhatHappened() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone", "b")])
    #expect(try sandbox.run("apply", manifest).status == 1)
    #expect(try sandbox.run("apply", manifest, "--only", "a").status == 0, "nothing to do is nothing to tell")
    let events = try sandbox.json("log").document["events"].array ?? []
    #expect(Set(events.dropFirst().dropLast().map { $0["event"].string }) == ["completed", "failed"])
    #expect(events.first?["event"].string == "runBegun" && events.last?["event"].string == "runFinished")
    #expect(events.last?["exitStatus"].integer == 1 && events.last?["summary"]["downloaded"].integer == 1)
    let text = try sandbox.run("log", "b").output
    #expect(text.contains("httpStatus") && !text.contains("completed"), "\(text)")
    #expect(try sandbox.run("log", "--since", "2100-01-01").output == "")
    let nobody = try sandbox.run("log", "nosuch")
    #expect(nobody.status == 0 && nobody.output == "", "\(nobody)")
    #expect(nobody.errors == "dlsync: nothing is logged for \"nosuch\"\n", "\(nobody)")
    #expect(try sandbox.run("log", "--since", "soon").status == 2)
  }

  @Test func aWatchedTerminalShowsTheRunAndIsLeftInOrder() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 600_000)).paced(bytesPerSecond: 200_000))
    let run = try sandbox.runner.start("apply", try sandbox.manifest(files: [("/a", "a")]))
    defer { run.kill() }
    #expect(sandbox.origin.wait { $0.bodyBytesSent > 0 })
    var launch = sandbox.runner.launch(["status", "--watch"])
    launch.environment["TERM"] = "xterm-256color"
    launch.output = .terminal
    launch.errors = .terminal
    launch.terminalSize = .init(columns: 90, rows: 8)
    let watch = try ChildProcess(launch)
    _ = run.wait()
    #expect(watch.isRunning)
    watch.send(2)
    let result = watch.wait(.seconds(10))
    #expect(result.status == 130, "\(result)")
    #expect(result.terminal.contains("running") && result.terminal.contains("/s"), "\(result)")
    #expect(result.terminal.contains("\u{1b}[?25h"), "the cursor is back")
    var screen = UnitScreen(rows: 8, columns: 90)
    screen.write(result.terminal)
    #expect(screen.faults.isEmpty, "\(screen.faults)")
  }

  @Test func escapesGoToTheTerminalThatIsDrawnOn() throws {
    let sandbox = try Sandbox()
    var launch = sandbox.runner.launch(["status", "--watch"])
    launch.environment["TERM"] = "xterm-256color"
    launch.output = .terminal
    let watch = try ChildProcess(launch)
    #expect(until { String(decoding: watch.terminalSoFar, as: UTF8.self).contains("0 tasks") })
    watch.send(SIGINT)
    let result = watch.wait(.seconds(10))
    #expect(result.terminal.contains("\u{1b}[?25l") && result.terminal.contains("\u{1b}[?25h"), "\(result)")
    #expect(result.errors == "", "\(result)")
  }

  @Test(.timeLimit(.minutes(3))) func aStormOfCommandsHarmsNothing() throws {
    let sandbox = try Sandbox()
    let seed = UInt64.random(in: 0...(.max))
    let names = (0..<20).map { "f\($0)" }
    let contents = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, payload(count: 300_000, seed: UInt64($0))) })
    let isSlow = Flag()
    for name in names {
      sandbox.origin.serve("/\(name)") { _ in
        let script = Script.file(contents[name] ?? [])
        return isSlow.isUp ? script.paced(bytesPerSecond: 30_000) : script
      }
    }
    let manifest = try sandbox.manifest(
      files: names.map { ("/\($0)", $0) }, queue: "{ concurrency: 20, chunkSize: 64KiB }")
    let run = try sandbox.runner.start("apply", manifest, "--format", "json")
    defer { run.kill() }
    #expect(sandbox.origin.wait { $0.liveRequests > 10 })
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let commands = try (0..<4).map { _ in
        let verb = ["pause", "resume", "cancel", "restart", "priority"].randomElement(using: &generator) ?? "pause"
        let name = names.randomElement(using: &generator) ?? "f0"
        let words = verb == "priority" ? [verb, "0.7", name] : [verb, name]
        return (words, try ChildProcess(sandbox.runner.launch(words)))
      }
      for (words, process) in commands {
        let result = process.wait(.seconds(20))
        // 1: the task is in a state that does not take the command.
        #expect([0, 1].contains(result.status), "\(words), seed \(seed): \(result)")
      }
    }
    isSlow.lower()
    _ = try sandbox.run("resume", "--all")
    _ = try sandbox.run("restart", "--all")
    let result = run.wait(.seconds(90))
    #expect(result.status == 0, "seed \(seed): \(result)")
    #expect(try sandbox.run("apply", manifest).status == 0, "seed \(seed)")
    for name in names { #expect(sandbox.published(name) == contents[name], "\(name), seed \(seed)") }
    #expect(sandbox.leftovers == [], "seed \(seed)")
  }
}

/// Up until somebody lowers it.
private final class Flag: Sendable {
  private let value = Atomic(true)
  var isUp: Bool { value.load(ordering: .sequentiallyConsistent) }
  func lower() { value.store(false, ordering: .sequentiallyConsistent) }
}
