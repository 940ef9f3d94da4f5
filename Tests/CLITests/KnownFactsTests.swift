import DLSyncTestSupport
import Glibc
import Testing

/// What is known of a file stands in every document that has a place for it: null says that it is not known.
@Suite struct KnownFactsTests {
  private let sandbox: Sandbox
  private let body = payload(count: 3000)

  init() throws {
    sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(body))
  }

  private func file(_ document: JSONValue, _ index: Int = 0) -> JSONValue { document["files"][index] }

  @Test(arguments: ["", "permissions: \"0600\"", "checksum: sha256:SUM"], ["--verify", "--color=never"])
  func aReusedFileIsCompleted(more: String, option: String) throws {
    let sum = try sandbox.sha256(body)
    let line = more.replacing("SUM", with: sum)
    let manifest = try sandbox.manifest(
      "version: 1\nroot: out\nfiles:\n  - url: \(sandbox.origin.url("/a"))\n    \(line)\n")
    for round in 0..<3 {
      let (result, document) = try sandbox.json("apply", manifest, option)
      #expect(result.status == 0, "\(result)")
      #expect(document["summary"]["reused"].integer == (round == 0 ? 0 : 1))
      #expect(file(document)["state"].string == "completed", "round \(round)")
      #expect(file(document)["bytes"].integer == 3000, "round \(round)")
      #expect(file(document)["sha256"].string == sum, "round \(round)")
    }
  }

  @Test func anAdoptedAndAKeptFileAreCompleted() throws {
    for name in ["adopted", "kept"] { try sandbox.folder.write(body, to: "work/out/\(name)") }
    let sum = try sandbox.sha256(body)
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      files:
        - { url: "\(sandbox.origin.url("/a"))", destination: adopted, checksum: "sha256:\(sum)" }
        - { url: "\(sandbox.origin.url("/a?2"))", destination: kept, onConflict: keep }
      """)
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0, "\(result)")
    for index in 0..<2 {
      #expect(file(document, index)["state"].string == "completed" && file(document, index)["bytes"].integer == 3000)
    }
    #expect(file(document, 0)["sha256"].string == sum && file(document, 1)["sha256"].isNull)
  }

  @Test func wrongBytesAreNamedInTheSnapshotAndTheLog() throws {
    let sum = try sandbox.sha256(body)
    let wanted = String(repeating: "0", count: 64)
    let manifest = try sandbox.manifest(
      "version: 1\nroot: out\nfiles:\n  - { url: '\(sandbox.origin.url("/a"))', checksum: \"sha256:\(wanted)\" }\n"
        + "  - { url: '\(sandbox.origin.url("/gone"))' }\n")
    let (result, report) = try sandbox.json("apply", manifest)
    #expect(result.status == 1 && file(report)["bytes"].integer == 3000, "\(result)")
    let checksum = try sandbox.json("status").document["tasks"][0]["checksum"]
    #expect(checksum["expected"].string == wanted && checksum["actual"].string == sum)
    #expect(checksum["matched"].bool == false)
    let events = try sandbox.json("log").document["events"].array ?? []
    let gone = try #require(events.first { $0["error"]["code"].string == "httpStatus" })
    #expect(gone["error"]["statusCode"].integer == 404)
  }

  @Test func whatIsTriedAgainIsToldAsSuch() throws {
    sandbox.origin.serve("/busy", .status(503))
    let manifest = try sandbox.manifest(
      files: [("/busy", "busy")], queue: "{ retry: { maxAttempts: 2, baseDelay: 10ms, maxDelay: 20ms } }")
    let result = try sandbox.run("apply", manifest, "--format", "ndjson")
    let states = try result.events().filter { $0["event"].string == "state" && $0.has("error") }
    #expect(states.map { $0["to"].string } == ["retrying", "failed"], "\(result)")
    for state in states {
      #expect(state["error"]["retryable"].bool == true && state["error"]["statusCode"].integer == 503, "\(state)")
    }
  }

  @Test func verboseRunsListWhatWasReused() throws {
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/a?2", "b")])
    #expect(try sandbox.run("apply", manifest, "--verbose").output.contains("= ") == false)
    for (options, count) in [(["--verbose"], 2), ([], 0), (["--verbose", "--quiet"], 0)] {
      let result = try sandbox.runner.run(sandbox.runner.launch(["apply", manifest] + options))
      let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("= ") }
      #expect(lines.count == count && lines.allSatisfy { $0.hasSuffix("  unchanged") }, "\(result)")
    }
    #expect(try sandbox.run("log").output.contains("1 conflicts") == false)
  }

  @Test(arguments: ["", "priority: 0.9", "headers: { X-A: b }", "checksum: sha256:SUM"])
  func theRecordFollowsAFileIntoAnotherQueue(more: String) throws {
    sandbox.origin.serve("/b", .file(body))
    let sum = try sandbox.sha256(body)
    func manifest(_ path: String, _ queue: String, _ more: String) throws -> String {
      try sandbox.manifest(
        "version: 1\nroot: out\nqueues: { other: {} }\nfiles:\n  - url: '\(sandbox.origin.url(path))'\n"
          + "    destination: a\n    queue: \(queue)\n    \(more.replacing("SUM", with: sum))\n")
    }
    #expect(try sandbox.run("apply", manifest("/a", "default", "")).status == 0)
    let path = more.hasPrefix("checksum") ? "/b" : "/a"
    let (result, report) = try sandbox.json("apply", manifest(path, "other", more))
    #expect(result.status == 0 && file(report)["reason"].string == "unchanged", "\(result)")
    let tasks = try sandbox.json("status").document["tasks"].array ?? []
    #expect(tasks.count == 1 && tasks.first?["id"] == file(report)["id"])
    #expect(tasks.first?["queue"].string == "other" && tasks.first?["url"].string == sandbox.origin.url(path))
    #expect(sandbox.origin.requests("/a").count == 1 && sandbox.origin.requests("/b").isEmpty)
  }

  @Test func aFileThatTheServerStillHasIsToldWithItsStatus() throws {
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: ["refresh: always"])
    for (status, action) in [(200, "new"), (304, "stale")] {
      let (result, document) = try sandbox.json("apply", manifest)
      #expect(result.status == 0 && file(document)["reason"].string == action, "\(result)")
      #expect(file(document)["statusCode"].integer == status && file(document)["bytes"].integer == 3000)
      #expect(try file(document)["sha256"].string == sandbox.sha256(body))
    }
  }

  /// It is the server's doing, not the size's: a file of less than a chunk is told like a large one.
  @Test func whatCouldBeResumedIsToldAsSuch() throws {
    sandbox.origin.serve("/none", .file(body).changed { $0.ranges = .ignored }.with("Accept-Ranges", "none"))
    sandbox.origin.serve("/new", .file(body, entityTag: nil, lastModified: nil))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/none", "none"), ("/new", "new")])
    #expect(try sandbox.run("apply", manifest).status == 0)
    let tasks = try sandbox.json("status").document["tasks"].array ?? []
    #expect(tasks.map { $0["resumable"].bool } == [true, false, false])
  }

  @Test func otherPermissionsAreAChangeThatIsTold() throws {
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/a?2", "b")], each: ["permissions: \"0755\""])
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(chmod(sandbox.folder.path + "/work/out/a", 0o600) == 0)
    let plan = try sandbox.run("plan", manifest, "--detailed-exitcode", "--verbose")
    #expect(plan.status == 10 && plan.output.contains("~ a  mode 0755 (was 0600)\n= b  unchanged\n"), "\(plan)")
    #expect(plan.output.contains("Plan: 0 to download, 1 to change, 1 unchanged, 0 conflicts."), "\(plan)")
    let apply = try sandbox.run("apply", manifest)
    #expect(apply.output.hasPrefix("~ a  mode 0755 (was 0600)\n\nDone: 0 downloaded, 2 reused"), "\(apply)")
    #expect(try sandbox.run("apply", manifest).output.hasPrefix("Done: "))
    #expect(try sandbox.run("plan", manifest, "--detailed-exitcode").status == 0)
  }

  /// A copy and other permissions change the disk, though nothing is fetched.
  @Test func whatIsDoneWithoutTheNetworkIsToDoAsWell() throws {
    let checksum = try "checksum: sha256:\(sandbox.sha256(body))"
    #expect(try sandbox.run("apply", sandbox.manifest(files: [("/a", "a")], each: [checksum])).status == 0)
    for more in [[], ["permissions: \"0600\""]] {
      let manifest = try sandbox.manifest(files: [("/a", "a"), ("/a", "b")], each: [checksum] + more)
      #expect(try sandbox.run("plan", manifest, "--detailed-exitcode").status == 10)
      #expect(try sandbox.run("apply", manifest).status == 0)
      #expect(try sandbox.run("plan", manifest, "--detailed-exitcode").status == 0)
    }
    #expect(sandbox.origin.requests("/a").count == 1)
  }
}
