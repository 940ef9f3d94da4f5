import DLSyncTestSupport
import Glibc
import Testing

@Suite struct ApplyTests {
  @Test func applyFetchesAndReports() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 300_000)
    sandbox.origin.serve("/a", .file(bytes))
    let manifest = try sandbox.manifest(files: [("/a", "deep/a")])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.published("deep/a") == bytes)
    #expect(document["command"].string == "apply")
    let file = document["files"][0]
    #expect(
      Set(file.names).isSuperset(of: [
        "id", "destination", "url", "queue", "action", "reason", "state", "bytes", "fetchedBytes", "seconds",
        "attempts",
        "sha256", "finalURL", "statusCode", "warnings", "error",
      ]))
    #expect(file["state"].string == "completed")
    #expect(file["bytes"].integer == 300_000)
    #expect(file["fetchedBytes"].integer == 300_000)
    #expect(file["attempts"].integer == 1)
    #expect(file["sha256"].string?.count == 64)
    #expect(file["statusCode"].integer == 200)
    #expect(file["error"].isNull)
    #expect(document["summary"]["downloaded"].integer == 1)
    #expect(document["summary"]["bytes"].integer == 300_000)
    #expect(document["exitStatus"].integer == 0)
    #expect(sandbox.leftovers == [])
  }

  @Test func secondApplyAsksNobody() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b", "c"] { sandbox.origin.serve("/\(name)", .file(payload(count: 1000))) }
    let manifest = try sandbox.manifest(files: ["a", "b", "c"].map { ("/\($0)", $0) })
    #expect(try sandbox.run("apply", manifest).status == 0)
    let before = sandbox.origin.connectionCount
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0)
    #expect(document["files"].array?.map { $0["reason"].string } == ["unchanged", "unchanged", "unchanged"])
    #expect(document["files"].array?.map { $0["state"].string } == ["completed", "completed", "completed"])
    #expect(document["summary"]["reused"].integer == 3)
    #expect(sandbox.origin.connectionCount == before)
  }

  @Test func textEndsWithTheSum() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 1_048_576)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let first = try sandbox.run("apply", manifest)
    #expect(first.output.contains("Done: 1 downloaded (1.0 MiB"), "\(first)")
    #expect(first.output.contains("0 reused, 0 conflicts, 0 failed in "), "\(first)")
    #expect(try sandbox.run("apply", manifest).output.contains("Done: 0 downloaded"))
    let quiet = try sandbox.run("apply", manifest, "--quiet")
    #expect(quiet.output == "" && quiet.errors == "")
  }

  /// libcurl is loaded ahead because the first file is missing, and the run is over before it is there: the process must
  /// not end in the middle of that.
  @Test func runThatEndsAtOnceEndsWell() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/b", .file(payload(count: 20)))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/b", "b")])
    for _ in 0..<60 {
      let result = try sandbox.run("apply", manifest, "--only", "b")
      #expect(result.status == 0, "\(result)")
    }
  }

  @Test func conflictsStopNothingElse() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    sandbox.origin.serve("/b", .file(payload(count: 20)))
    try sandbox.folder.write("mine", to: "work/out/a")
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/b", "b")])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 3, "\(result)")
    #expect(sandbox.published("a") == Array("mine".utf8))
    #expect(sandbox.published("b") == payload(count: 20))
    #expect(document["files"][0]["error"]["code"].string == "destinationExists")
    #expect(document["summary"]["conflicts"].integer == 1)
    #expect(document["exitStatus"].integer == 3)
    let text = try sandbox.run("apply", manifest)
    #expect((text.output + text.errors).contains("destinationExists"), "\(text)")
  }

  @Test func failuresCountMoreThanConflicts() throws {
    let sandbox = try Sandbox()
    try sandbox.folder.write("mine", to: "work/out/a")
    sandbox.origin.serve("/c", .file(payload(count: 30)))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone", "b"), ("/c", "c")])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 1, "\(result)")
    let error = document["files"][1]["error"]
    #expect(Set(error.names).isSuperset(of: ["code", "message", "retryable", "statusCode", "retryAfter", "hint"]))
    #expect(error["code"].string == "httpStatus")
    #expect(error["statusCode"].integer == 404)
    #expect(error["retryable"].bool == false)
    #expect(sandbox.published("b") == nil)
    #expect(sandbox.published("c") == payload(count: 30))
    #expect(sandbox.origin.requests("/gone").count == 1)
  }

  @Test func failedFilesAreToldWithAllThatHelps() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/gone", "deep/b")])
    let result = try sandbox.run("apply", manifest)
    let text = result.output + result.errors
    for part in ["deep/b", sandbox.origin.url("/gone"), "httpStatus", "404", "1 failed"] {
      #expect(text.contains(part), "no '\(part)' in \(result)")
    }
  }

  @Test func passingFaultsAreTriedAgain() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve(
      "/a", [.status(503), .file(payload(count: 10_000)).cut(after: 100), .file(payload(count: 10_000))])
    let queue = "{ retry: { maxAttempts: 4, baseDelay: 10ms, maxDelay: 20ms } }"
    let (result, document) = try sandbox.json("apply", try sandbox.manifest(files: [("/a", "a")], queue: queue))
    #expect(result.status == 0, "\(result)")
    #expect(document["files"][0]["attempts"].integer == 3)
    #expect(sandbox.published("a") == payload(count: 10_000))
  }

  @Test func wrongBytesAreNotPublished() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let zeros = String(repeating: "0", count: 64)
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: ["checksum: sha256:\(zeros)"])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 1)
    #expect(document["files"][0]["error"]["code"].string == "checksumMismatch")
    #expect(document["files"][0]["error"]["message"].string?.contains(zeros) == true)
    #expect(sandbox.published("a") == nil)
    #expect(sandbox.leftovers == [])
  }

  @Test func eventsComeAsLines() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 500_000)).paced(bytesPerSecond: 800_000))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone", "b")], queue: "{ progressInterval: 100ms }")
    let result = try sandbox.run("apply", manifest, "--format", "ndjson")
    let events = try result.events()
    let names = events.compactMap { $0["event"].string }
    #expect(result.status == 1)
    #expect(names.first == "plan" && names.last == "report")
    #expect(names.filter { $0 == "plan" || $0 == "report" }.count == 2)
    #expect(names.contains("progress"))
    let steps = events.filter { $0["event"].string == "state" && $0["destination"].string?.hasSuffix("/a") == true }
    #expect(steps.last?["to"].string == "completed")
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0["to"] == $1["from"] }, "\(result.output)")
    #expect(events.last?["exitStatus"].integer == 1)
  }

  @Test func signalsLeaveAResumableRun() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 1_048_576)
    sandbox.origin.serve("/a", [.file(bytes).cut(after: 655_360, .silence), .file(bytes)])
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], queue: "{ chunkSize: 64KiB, progressInterval: 100ms }")
    let process = try sandbox.runner.start("apply", manifest, "--format", "ndjson")
    let hasCome = process.waitForOutput { $0.contains("\"completedBytes\":655360") }
    #expect(hasCome, "\(process.outputSoFar)")
    process.send(15)
    let stopped = process.wait(.seconds(10))
    #expect(stopped.status == 143, "\(stopped)")
    #expect(stopped.signal == nil)
    #expect(try stopped.events().last?["files"][0]["state"].string == "waiting")
    #expect(sandbox.published("a") == nil)

    let (plan, planned) = try sandbox.json("plan", manifest)
    #expect(planned["files"][0]["reason"].string == "resume", "\(plan)")
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.published("a") == bytes)
    #expect(document["files"][0]["fetchedBytes"].integer ?? .max < 500_000)
    #expect(sandbox.origin.requests("/a").last?.header("Range") != nil)
    #expect(sandbox.leftovers == [])
  }

  /// A run that waits for its server without an end.
  private func endlessRun() throws -> (sandbox: Sandbox, manifest: String, process: ChildProcess) {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .silence)
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let process = try sandbox.runner.start("apply", manifest)
    #expect(sandbox.origin.wait { $0.liveRequests == 1 })
    return (sandbox, manifest, process)
  }

  @Test func secondRunOfAQueueIsRefused() throws {
    let (sandbox, manifest, first) = try endlessRun()
    let (second, document) = try sandbox.json("apply", manifest)
    #expect(second.status == 4, "\(second)")
    #expect(document["error"]["code"].string == "stateLocked")
    #expect(document["error"]["message"].string?.contains("\(first.processID)") == true, "\(second.output)")
    #expect(document["error"]["message"].string?.contains("the queue \"default\"") == true, "\(second.output)")
    let patient = try sandbox.run("apply", manifest, "--lock-timeout", "100ms")
    #expect(patient.status == 4 && patient.errors.contains("error: stateLocked: "), "\(patient)")
    #expect(patient.errors.hasSuffix("hint: wait longer, or end that process\n"), "\(patient)")
    first.kill()
    _ = first.wait()
  }

  @Test func aSelectionNeedsTheQueuesOfItsFilesAlone() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .silence)
    sandbox.origin.serve("/b", .file([1]))
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      queues: { slow: {}, fast: {} }
      files:
        - { url: "\(sandbox.origin.url("/a"))", destination: a, queue: slow }
        - { url: "\(sandbox.origin.url("/b"))", destination: b, queue: fast, tags: [t] }

      """)
    let first = try sandbox.runner.start("apply", manifest, "--only", "a")
    #expect(sandbox.origin.wait { $0.liveRequests == 1 })
    #expect(try sandbox.run("apply", manifest, "--tag", "t").status == 0)
    let (result, document) = try sandbox.json("apply", manifest, "--only", "b")
    #expect(result.status == 0 && sandbox.published("b") == [1], "\(result)")
    #expect(document["queues"].array?.count == 1)
    #expect(try sandbox.run("apply", manifest, "--only", "nothing").status == 0)
    #expect(try sandbox.run("apply", manifest).status == 4)
    first.kill()
    _ = first.wait()
  }

  @Test func aSignalEndsTheWaitForAQueue() throws {
    let (sandbox, manifest, first) = try endlessRun()
    let second = try sandbox.runner.start("apply", manifest, "--lock-timeout", "1h")
    #expect(until { second.errorsSoFar.contains("this command waits") })
    second.send(SIGTERM)
    let result = second.wait(.seconds(20))
    #expect(result.status == 143 && result.errors.contains("error: interrupted: "), "\(result)")
    #expect(!result.errors.contains("--lock-timeout"), "\(result)")
    first.kill()
    _ = first.wait()
  }

  @Test func readerThatWentAwayEndsNoTransfer() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 1000)).delayed(.milliseconds(100)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    var launch = sandbox.runner.launch(["apply", manifest, "--verbose"])
    launch.output = .closedPipe
    launch.errors = .closedPipe
    #expect(try sandbox.runner.run(launch).status == 0)
    #expect(sandbox.published("a") == payload(count: 1000))
  }

  @Test func outputThatCannotBeWrittenIsAFailure() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 1000)))
    var launch = sandbox.runner.launch(["apply", try sandbox.manifest(files: [("/a", "a")])])
    launch.output = .file("/dev/full")
    let result = try sandbox.runner.run(launch)
    #expect(result.status == 1)
    #expect(result.errors.contains("standard output"))
    #expect(sandbox.published("a") != nil)
  }
}
