import DLSyncTestSupport
import Glibc
import Testing

@Suite struct StatusTests {
  @Test func statusOfAnEmptyStateIsEmpty() throws {
    let sandbox = try Sandbox()
    let (result, document) = try sandbox.json("status")
    #expect(result.status == 0, "\(result)")
    #expect(document["formatVersion"].integer == 1)
    #expect(document["queues"].array == [] && document["tasks"].array == [])
  }

  @Test func statusShowsTasksAndQueues() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 1000)))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone?token=TOKSECRET", "b")])
    #expect(try sandbox.run("apply", manifest).status == 1)
    let (result, document) = try sandbox.json("status", manifest)
    #expect(result.status == 0)
    let tasks = document["tasks"].array ?? []
    #expect(tasks.count == 2)
    let done = try #require(tasks.first { $0["state"].string == "completed" })
    for name in [
      "id", "scope", "queue", "url", "finalURL", "destination", "state", "priority", "attempts", "progress",
      "statusCode",
      "responseHeaders", "createdAt", "startedAt", "updatedAt", "finishedAt", "resumable", "chunks", "checksum",
      "fingerprint", "error",
    ] { #expect(done.has(name), "\(name)") }
    #expect(done["progress"]["completedBytes"].integer == 1000)
    #expect(done["progress"]["fractionCompleted"].number == 1)
    #expect(done["fingerprint"].string?.count == 64)
    let failed = try #require(tasks.first { $0["state"].string == "failed" })
    #expect(failed["error"]["code"].string == "httpStatus")
    #expect(!result.output.contains("TOKSECRET"))
    let queue = document["queues"][0]
    for name in [
      "name", "scope", "mode", "running", "configuration", "capabilities", "taskCount", "runningCount",
      "completedCount",
      "failedCount", "canceledCount", "totalBytes", "completedBytes", "bytesPerSecond", "estimatedTimeRemaining",
    ] { #expect(queue.has(name), "\(name)") }
    #expect(queue["running"].isNull)
    #expect(queue["taskCount"].integer == 2 && queue["failedCount"].integer == 1)
    let text = try sandbox.run("status").output
    #expect(text.contains("completed") && text.contains("failed") && !text.contains("TOKSECRET"), "\(text)")
  }

  @Test func killedRunIsInterrupted() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 400_000)).cut(after: 200_000, .silence))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let run = try sandbox.runner.start("apply", manifest)
    #expect(sandbox.origin.wait { $0.bodyBytesSent >= 200_000 })
    // The record follows the transfer within a second.
    var during = ""
    for _ in 0..<50 where !during.contains("running ") {
      usleep(100_000)
      during = try sandbox.run("status").output
    }
    #expect(during.contains("running ") && !during.contains("interrupted"), "\(during)")
    run.kill()
    _ = run.wait()
    let after = try sandbox.run("status").output
    #expect(after.contains("interrupted ") && after.contains("1 task: 1 interrupted."), "\(after)")
    #expect(try sandbox.json("status").document["tasks"][0]["state"].string == "running")
  }

  @Test func verifyTellsWhatChanged() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b", "c"] { sandbox.origin.serve("/\(name)", .file(payload(count: 1000))) }
    let manifest = try sandbox.manifest(files: ["a", "b", "c"].map { ("/\($0)", $0) })
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(try sandbox.run("verify", manifest).status == 0)
    try sandbox.folder.write(payload(count: 1000, seed: 9), to: "work/out/b")
    try #require(sandbox.folder.remove("work/out/c"))
    let (result, document) = try sandbox.json("verify", manifest)
    #expect(result.status == 1, "\(result)")
    #expect(document["files"].array?.map { $0["finding"].string } == ["intact", "differs", "missing"])
    #expect(document["summary"]["intact"].integer == 1)
    #expect(sandbox.published("b") == payload(count: 1000, seed: 9))
    let text = try sandbox.run("verify", manifest)
    #expect(text.output.contains("differs") && text.output.contains("missing"), "\(text)")
  }

  @Test func verifyTellsWhyAFileCannotBeRead() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b", "c"] { sandbox.origin.serve("/\(name)", .file(payload(count: 1000))) }
    let manifest = try sandbox.manifest(files: ["a", "b", "c"].map { ("/\($0)", $0) })
    #expect(try sandbox.run("apply", manifest).status == 0)
    for name in ["a", "b"] { try #require(sandbox.folder.remove("work/out/\(name)")) }
    try sandbox.folder.write([], to: "work/out/a/within")
    #expect(symlink("c", sandbox.folder.path + "/work/out/b") == 0)
    let text = try sandbox.run("verify", manifest)
    #expect(text.status == 1 && text.output.contains("out/a\" is a folder\n"), "\(text)")
    #expect(text.output.contains("out/b\" is a symbolic link") && text.output.contains("    hint: "), "\(text)")
    let files = try sandbox.json("verify", manifest).document["files"]
    #expect(files[0]["finding"].string == "unreadable" && files[0]["error"]["code"].string == "destinationInvalid")
    #expect(files[1]["error"]["code"].string == "destinationExists")
    #expect(files[2]["error"].isNull)
  }

  @Test func secretsAppearNowhere() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/ok", .file(payload(count: 1000)))
    let manifest = try sandbox.manifest(
      files: [("/ok?X-Amz-Signature=SIGSECRET", "a"), ("/gone?token=TOKSECRET", "b")],
      queue: "{ retry: { maxAttempts: 1 } }", each: ["headers: { Authorization: \"Bearer HDRSECRET\" }"])
    for arguments in [["plan"], ["apply", "--verbose"], ["apply", "--format", "ndjson"], ["status"], ["verify"]] {
      let result = try sandbox.runner.run(sandbox.runner.launch(arguments + [manifest]))
      for secret in ["SIGSECRET", "TOKSECRET", "HDRSECRET"] {
        #expect(!(result.output + result.errors).contains(secret), "\(secret) in \(arguments): \(result)")
      }
    }
    #expect(sandbox.origin.requests("/ok").first?.header("Authorization") == "Bearer HDRSECRET")
    for file in sandbox.folder.files() where file != "work/manifest.yaml" {
      let bytes = try #require(sandbox.folder.read(file))
      #expect(bytes.firstRange(of: Array("HDRSECRET".utf8)) == nil, "\(file)")
    }
  }

  @Test(arguments: [["status", "--watch"], ["status", "--watch", "--format", "json"], ["log", "--follow"]])
  func whoWatchesEndsWithItsReader(arguments: [String]) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("apply", try sandbox.manifest(files: [("/gone", "a")])).status == 1)
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    let result = try sandbox.shell("\"$0\" \(words) | head -n 1")
    #expect(result.status == 0 && result.output.contains("a") && result.seconds < 10, "\(result)")
  }

  @Test(arguments: ["json", "text"]) func aWatchTellsOfChangesAlone(format: String) throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/gone", "a")])
    #expect(try sandbox.run("apply", manifest).status == 1)
    let watch = try sandbox.runner.start("status", "--watch", "--format", format)
    defer { watch.kill() }
    #expect(watch.waitForOutput { $0.hasSuffix("\n") })
    usleep(1_700_000)
    #expect(watch.outputSoFar.split(separator: "\n").count == 1, "nothing has changed")
    #expect(try sandbox.run("cancel", "a").status == 0)
    #expect(watch.waitForOutput { $0.split(separator: "\n").count == 2 }, "\(watch.outputSoFar)")
    watch.send(SIGINT)
    let result = watch.wait(.seconds(10))
    #expect(result.status == 130 && result.output.split(separator: "\n").count == 2, "\(result)")
  }
}
