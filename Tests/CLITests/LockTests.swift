import DLSyncTestSupport
import Glibc
import Testing

@Suite struct LockCommandTests {
  private let sandbox: Sandbox
  private let manifest: String

  init() throws {
    sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 1000)))
    sandbox.origin.serve("/b", .file(payload(count: 2000)))
    manifest = try sandbox.manifest(files: [("/a", "a"), ("/b", "d/b")])
  }

  private var lock: String {
    sandbox.folder.read("work/manifest.lock").map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test func lockPinsAndPublishesNothing() throws {
    let (result, document) = try sandbox.json("lock", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(document["summary"]["added"].integer == 2)
    #expect(sandbox.published("a") == nil && sandbox.leftovers == [])
    #expect(sandbox.folder.files(below: "home").filter { $0.contains("lock-") } == [])
    #expect(lock.contains("size: 1000") && lock.contains("destination: d/b") && lock.contains("etag:"), "\(lock)")
    #expect(try sandbox.run("apply", manifest, "--locked").status == 0)
  }

  /// A process of another container seems to be none; a folder of that name stands for its own.
  @Test func whatARunStillUsesIsNotTakenForAbandoned() throws {
    sandbox.origin.serve("/slow", .silence)
    let other = try sandbox.folder.write(
      "version: 1\nfiles: [\"\(sandbox.origin.url("/slow"))\"]\n", to: "work/other.yaml")
    let process = try sandbox.runner.start("lock", other)
    #expect(sandbox.origin.wait { $0.liveRequests == 1 })
    let state = "home/.local/state/dlsync"
    func folders() -> Set<String> {
      Set(
        sandbox.folder.files(below: state).compactMap { file in
          file.dropFirst(state.utf8.count + 1).split(separator: "/").first.map(String.init)
        }.filter { $0.hasPrefix("lock-") })
    }
    let own = try #require(folders().first)
    let name = "lock-2147483646-1"
    #expect(rename(sandbox.folder("\(state)/\(own)"), sandbox.folder("\(state)/\(name)")) == 0)
    #expect(try sandbox.run("lock", manifest).status == 0)
    #expect(folders() == [name])
    process.kill()
    _ = process.wait()
    #expect(try sandbox.run("lock", "--update", manifest).status == 0)
    #expect(folders() == [])
  }

  @Test func lockOfPublishedFilesAsksNobody() throws {
    #expect(try sandbox.run("apply", manifest).status == 0)
    let before = sandbox.origin.connectionCount
    #expect(
      try sandbox.run("lock", manifest).output
        == "Locked: 2 added, 0 renewed, 0 kept in \(manifest.dropLast(5)).lock.\n")
    #expect(sandbox.origin.connectionCount == before)
    #expect(try sandbox.json("plan", manifest, "--locked").document["summary"]["reuse"].integer == 2)
  }

  @Test func newVersionIsRefusedUntilTheLockIsRenewed() throws {
    #expect(try sandbox.run("lock", manifest).status == 0)
    let first = lock
    sandbox.origin.serve("/a", .file(payload(count: 1000).map { ~$0 }))
    let (refused, document) = try sandbox.json("apply", manifest)
    #expect(refused.status == 1 && document["files"][0]["error"]["code"].string == "checksumMismatch", "\(refused)")
    #expect(try sandbox.run("lock", manifest).status == 0 && lock == first)
    #expect(try sandbox.run("lock", manifest, "--update", "nothing*").status == 1)
    #expect(try sandbox.run("lock", manifest, "a").status == 2)
    #expect(try sandbox.run("lock", "--update", manifest, "a").output.contains("1 renewed, 1 kept"))
    #expect(try sandbox.run("apply", manifest).status == 0 && lock != first)
  }

  /// The manifest has neither sizes nor checksums: whoever looks for them there finds nothing.
  @Test func valuesOfTheLockFileAreToldOfTheLockFile() throws {
    #expect(try sandbox.run("lock", manifest).status == 0)
    sandbox.origin.serve("/a", .file(payload(count: 900)))
    sandbox.origin.serve("/b", .file(payload(count: 2000).map { ~$0 }))
    let (_, document) = try sandbox.json("apply", manifest)
    let (size, digest) = (document["files"][0]["error"], document["files"][1]["error"])
    let (pins, update) = ("the lock file \"\(manifest.dropLast(5)).lock\" pins", "`dlsync lock --update \(manifest)`")
    #expect(size["code"].string == "sizeMismatch" && size["message"].string?.hasPrefix("\(pins) 1000 bytes") == true)
    #expect(size["hint"].string?.contains(update) == true, "\(size)")
    #expect(digest["code"].string == "checksumMismatch" && digest["message"].string?.hasSuffix("\(pins) it") == true)
    #expect(digest["hint"].string?.contains(update) == true, "\(digest)")
    let sized = try sandbox.manifest(files: [("/a", "a")], each: ["size: 1000"])
    let declared = try sandbox.json("apply", sized).document["files"][0]["error"]
    #expect(declared["message"].string?.hasPrefix("the manifest declares 1000 bytes") == true, "\(declared)")
  }

  /// A list that knows the next version already is not the lock file's fault, and renewing that would not help.
  @Test func valuesOfAPublishedListAreNotToldOfTheLockFile() throws {
    func list(_ bytes: [UInt8]) throws -> Script { .file(Array("\(try sandbox.sha256(bytes))  a\n".utf8)) }
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], each: ["checksum: {algorithm: sha256, from: '\(sandbox.origin.url("/SUMS"))'}"])
    sandbox.origin.serve("/SUMS", try list(payload(count: 1000)))
    #expect(try sandbox.run("lock", manifest).status == 0)
    sandbox.origin.serve("/SUMS", try list([1]))
    let error = try sandbox.json("apply", manifest).document["files"][0]["error"]
    #expect(error["code"].string == "checksumMismatch", "\(error)")
    #expect(error["message"].string?.contains("lock") == false, "\(error)")
    #expect(error["hint"].string?.contains("lock") == false, "\(error)")
  }

  /// The agent works from the record alone.
  @Test func theAgentTellsOfTheLockFileToo() throws {
    defer { _ = try? sandbox.run("agent", "stop") }
    let manifest = try sandbox.manifest(
      files: [("/a", "a"), ("/b", "b")], queue: "{ mode: background, retry: { maxAttempts: 1 } }")
    #expect(try sandbox.run("lock", manifest).status == 0)
    sandbox.origin.serve("/a", .file(payload(count: 900)))
    sandbox.origin.serve("/b", .file(payload(count: 2000).map { ~$0 }))
    let (_, document) = try sandbox.json("apply", manifest, "--wait")
    let (size, digest) = (document["files"][0]["error"], document["files"][1]["error"])
    let pins = "the lock file \"\(manifest.dropLast(5)).lock\" pins"
    #expect(size["message"].string?.hasPrefix("\(pins) 1000 bytes") == true, "\(size)")
    #expect(size["hint"].string?.contains("`dlsync lock --update \(manifest)`") == true, "\(size)")
    #expect(digest["message"].string?.hasSuffix("\(pins) it") == true, "\(digest)")
  }

  @Test func failedFileLeavesTheLockAsItWas() throws {
    #expect(try sandbox.run("lock", manifest).status == 0)
    let first = lock
    let wider = try sandbox.manifest(files: [("/a", "a"), ("/gone", "g")])
    let result = try sandbox.run("lock", wider)
    #expect(result.status == 1 && result.errors.contains("httpStatus") && lock == first, "\(result)")
    let (locked, document) = try sandbox.json("apply", wider, "--locked")
    #expect(locked.status == 1 && document["error"]["code"].string == "lockOutdated")
    #expect(try sandbox.run("apply", wider, "--locked", "--only", "a").status == 0)
    #expect(sandbox.published("a") == payload(count: 1000))
  }

  /// A lock that lacks one of the two would send `--locked` round in a circle.
  @Test func filesInOneAnothersWayAreNotLocked() throws {
    let clashing = try sandbox.manifest(files: [("/a", "x"), ("/b", "x"), ("/b", "y")])
    let (result, document) = try sandbox.json("lock", clashing)
    #expect(result.status == 1 && document["written"].bool == false, "\(result)")
    let files = document["files"].array ?? []
    #expect(files.map { $0["error"]["code"].string } == ["destinationConflict", nil], "\(result)")
    #expect(lock == "")
  }

  @Test func filesThatAreNotInOneAnothersWayAreLockedApart() throws {
    let encoded = Script.file(payload(count: 10)).changed { $0.headers.append(("Content-Encoding", "gzip")) }
    sandbox.origin.serve("/e", encoded)
    let (url, out) = (sandbox.origin.url("/e"), sandbox.out)
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      files:
        - {url: "\(url)", destination: \(out)/k, contentEncoding: keep}
        - {url: "\(url)?1", destination: .\(out)/k, contentEncoding: keep}
        - {url: "\(url)", destination: r}

      """)
    let (result, document) = try sandbox.json("lock", manifest)
    let files = document["files"].array ?? []
    #expect(files.map { $0["error"]["code"].string } == [nil, nil, "encodingUnsupported"], "\(result)")
  }

  @Test func wordsTellWhetherThereIsALockFile() throws {
    let gone = try sandbox.manifest(files: [("/gone", "g")])
    let failed = try sandbox.run("lock", gone)
    #expect(failed.status == 1 && failed.output.contains("Not locked: 1 of 1 file could not be had; "), "\(failed)")
    #expect(failed.output.hasSuffix(".lock is not written.\n"), "\(failed)")
    sandbox.origin.serve("/gone", .file(payload(count: 400_000)).cut(after: 200_000, .silence))
    let process = try sandbox.runner.start("lock", gone)
    #expect(sandbox.origin.wait { $0.bodyBytesSent >= 200_000 })
    process.send(SIGINT)
    let stopped = process.wait(.seconds(20))
    #expect(stopped.status == 130 && stopped.output.hasPrefix("Not locked: stopped by SIGINT; "), "\(stopped)")
  }

  /// What is there may be the file already: seconds of hashing here, terabytes elsewhere.
  @Test func aSignalEndsTheReadingOfWhatIsThere() throws {
    let path = try sandbox.manifest(
      files: [("/a", "hole")], each: ["checksum: sha512:" + String(repeating: "0", count: 128)])
    #expect(try sandbox.run("apply", path, "--only", "nothing").status == 0)
    mkdir(sandbox.out, 0o755)
    let file = open("\(sandbox.out)/hole", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #expect(ftruncate(file, 8 << 30) == 0)
    close(file)
    let process = try sandbox.runner.start("lock", path)
    defer { process.kill() }
    usleep(700_000)
    process.send(SIGINT)
    let stopped = process.wait(.seconds(30))
    #expect(stopped.status == 130 && stopped.output.hasPrefix("Not locked: stopped by SIGINT; "), "\(stopped)")
    #expect(stopped.seconds < 5, "\(stopped.seconds)")
  }

  /// Nothing is fetched for a lock file that cannot be written; the name of its draft is too long.
  @Test func aPlaceThatTakesNoLockFileIsToldFirst() throws {
    let path = try sandbox.manifest(files: [("/a", "a")], name: String(repeating: "m", count: 245) + ".yaml")
    let before = sandbox.origin.connectionCount
    let result = try sandbox.run("lock", path)
    #expect(result.status == 3 && result.errors.contains("could not write"), "\(result)")
    #expect(sandbox.origin.connectionCount == before)
  }

  /// No line fits an entry whose URL has another size.
  @Test func eachEntryOfAURLIsHeldToItsOwnSize() throws {
    let url = sandbox.origin.url("/a")
    let path = try sandbox.manifest(
      """
      version: 1
      root: out
      files:
        - { url: "\(url)", destination: right, size: 1000 }
        - { url: "\(url)", destination: long, size: 2000 }
        - { url: "\(url)", destination: any }

      """, name: "versions.yaml")
    let (result, document) = try sandbox.json("lock", path)
    #expect(result.status == 1, "\(result)")
    let codes = (0..<3).map { document["files"][$0]["error"]["code"].string }
    #expect(codes == [nil, "sizeMismatch", nil], "\(document)")
    #expect(document["files"][2]["change"].string == "added")
    #expect(!sandbox.folder.holds("work/versions.lock"))
  }

  @Test func offlineContactsNobody() throws {
    let (plan, planned) = try sandbox.json("plan", manifest, "--offline")
    #expect(plan.status == 0 && planned["files"][0]["error"]["code"].string == "networkNotAllowed", "\(plan)")
    let (result, document) = try sandbox.json("apply", manifest, "--offline")
    #expect(result.status == 1 && document["files"][1]["error"]["code"].string == "networkNotAllowed", "\(result)")
    let twins = try sandbox.manifest(files: [("/a", "t1"), ("/a", "t2")], name: "twins.yaml")
    let (_, copied) = try sandbox.json("plan", twins, "--offline")
    #expect(copied["files"][1]["error"]["code"].string == "networkNotAllowed")
    let listed = try sandbox.manifest(
      files: [("/a", "l")], each: ["checksum: { from: \"\(sandbox.origin.url("/SUMS"))\" }"], name: "listed.yaml")
    let (_, unlisted) = try sandbox.json("apply", listed, "--offline")
    #expect(unlisted["files"][0]["error"]["code"].string == "networkNotAllowed")
    #expect(sandbox.origin.connectionCount == 0)
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(try sandbox.run("apply", manifest, "--offline").status == 0)
  }

  /// The store is somewhere else on each machine, the lock file is the same.
  @Test func managedFilesAreLockedOnEveryMachine() throws {
    let url = sandbox.origin.serve("/a.bin", .file(payload(count: 100)))
    let manifest = try sandbox.manifest("version: 1\nfiles: [{ url: '\(url)', managed: true }]\n")
    #expect(try sandbox.run("lock", manifest).status == 0)
    let before = lock
    let elsewhere = sandbox.folder("elsewhere")
    let result = try sandbox.run("apply", manifest, "--locked", "--state", elsewhere)
    #expect(result.status == 0, "\(result)")
    let again = try sandbox.run("lock", manifest, "--state", elsewhere)
    #expect(again.status == 0 && lock == before, "\(again)")
    #expect(!before.isEmpty && !before.contains(sandbox.folder("")))
  }
}
