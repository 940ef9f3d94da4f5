import DLSyncTestSupport
import Glibc
import Testing

/// Two files change their names in one step where one is replaced. What may go wrong behind that.
@Suite struct ReplacementTroubleTests {
  private static let bytes = payload(count: 300_000)

  private struct World {
    let sandbox: Sandbox
    let manifest: String
    let part: String

    init(published: [UInt8]?, queue: String = "{}") throws {
      sandbox = try Sandbox()
      sandbox.origin.serve("/a", .file(ReplacementTroubleTests.bytes))
      if let published {
        sandbox.origin.serve("/old", .file(published))
        #expect(try sandbox.run("apply", try sandbox.manifest(files: [("/old", "a")])).status == 0)
      } else {
        try sandbox.folder.write("mine", to: "work/out/a")
      }
      manifest = try sandbox.manifest(files: [("/a", "a")], queue: queue, each: ["onConflict: replace"])
      let id = try #require(try sandbox.json("plan", manifest).document["files"][0]["id"].string)
      part = ".dlsync-\(id).part"
    }

    /// A run that is killed when it has said what it is about to publish; then the two files change their names.
    func kill() throws {
      var launch = sandbox.runner.launch(["apply", manifest])
      launch.environment["DLSYNC_FOREGROUND"] = "1"
      launch.environment["DLSYNC_CHECKPOINT"] = "intentRecorded"
      launch.environment["DLSYNC_CHECKPOINT_FILE"] = sandbox.folder("marker")
      let process = try ChildProcess(launch)
      let isThere = until { sandbox.folder.holds("marker") }
      process.kill()
      _ = process.wait()
      try #require(isThere)
      for (from, to) in [(part, "aside"), ("a", part), ("aside", "a")] {
        #expect(rename("\(sandbox.out)/\(from)", "\(sandbox.out)/\(to)") == 0)
      }
    }
  }

  @Test(arguments: ["apply", "away", "again"]) func aKillBetweenTheStepsCostsNobodysFile(then: String) throws {
    let world = try World(published: nil)
    let sandbox = world.sandbox
    try world.kill()
    // Whatever is at the destination by now.
    if then == "away" { unlink(sandbox.out + "/a") }
    if then == "again" { try sandbox.folder.write("new", to: "work/out/a") }
    let (result, document) = try sandbox.json("apply", world.manifest)
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.published("a") == Self.bytes)
    let kept = sandbox.published(".kept" + world.part)
    #expect(kept == Array("mine".utf8) && sandbox.leftovers == [])
    #expect(document["warnings"].array?.contains { $0.string?.contains("/out/.kept\(world.part)") ?? false } ?? false)
    #expect(try sandbox.run("apply", world.manifest).status == 0)
    #expect(sandbox.published(".kept" + world.part) == Array("mine".utf8))
  }

  /// What is in place is recorded by the command, before the agent looks.
  @Test func aHandOverTakesNobodysFileForPartialData() throws {
    let world = try World(published: nil, queue: "{ mode: background }")
    defer { _ = try? world.sandbox.run("agent", "stop") }
    try world.kill()
    let result = try world.sandbox.run("apply", world.manifest, "--wait")
    #expect(result.status == 0 && result.errors.contains(".kept" + world.part), "\(result)")
    #expect(world.sandbox.published(".kept" + world.part) == Array("mine".utf8))
    #expect(world.sandbox.published("a") == Self.bytes)
  }

  @Test func aPruneTakesNobodysFileForPartialData() throws {
    let world = try World(published: nil)
    try world.kill()
    world.sandbox.origin.serve("/b", .file([1]))
    let other = try world.sandbox.manifest(files: [("/b", "b")])
    let result = try world.sandbox.run("apply", other, "--prune")
    #expect(result.status == 0 && result.errors.contains(".kept" + world.part), "\(result)")
    #expect(world.sandbox.published(".kept" + world.part) == Array("mine".utf8))
  }

  @Test func whatAKilledRunPublishedIsIntact() throws {
    let world = try World(published: payload(count: 1000))
    try world.kill()
    let (result, document) = try world.sandbox.json("verify", world.manifest)
    #expect(result.status == 0, "\(result)")
    #expect(document["files"][0]["finding"].string == "intact", "\(result)")
  }

  @Test func whatWasPublishedAndReplacedGoes() throws {
    let world = try World(published: payload(count: 1000))
    try world.kill()
    let (result, document) = try world.sandbox.json("apply", world.manifest)
    #expect(result.status == 0 && document["warnings"].array?.isEmpty ?? false, "\(result)")
    #expect(world.sandbox.published("a") == Self.bytes)
    #expect(world.sandbox.folder.files(below: "work/out") == ["work/out/a"])
  }

  /// What keeps one file from being begun is no other file's trouble.
  @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "needs strace"))
  func aFileThatCannotBeMovedAwayStopsNoOther() throws {
    let world = try World(published: nil)
    let sandbox = world.sandbox
    try world.kill()
    unlink(sandbox.out + "/a")
    sandbox.origin.serve("/b", .file([1]))
    let both = try sandbox.manifest(files: [("/a", "a"), ("/a", "copy"), ("/b", "b")])
    var launch = sandbox.runner.launch([])
    launch.executable = "/usr/bin/strace"
    launch.arguments = [
      "-f", "-o", "/dev/null", "-P", world.part, "-P", ".kept" + world.part, "-e", "inject=renameat2:error=EPERM",
      sandbox.runner.binary, "apply", both,
    ]
    let result = try sandbox.runner.run(launch)
    #expect(result.status == 3 && result.output.contains("1 conflict, 0 failed"), "\(result)")
    #expect(sandbox.published("b") == [1] && sandbox.published("copy") == Self.bytes)
    #expect(sandbox.published(world.part) == Array("mine".utf8) && sandbox.published("a") == nil)
    let after = try sandbox.run("apply", both)
    #expect(after.status == 0 && after.errors.contains("/out/.kept\(world.part)"), "\(after)")
    #expect(sandbox.published("a") == Self.bytes && sandbox.leftovers == [])
  }

  /// It was published, whatever the disk says of it then.
  @Test(
    .enabled(if: access("/usr/bin/strace", X_OK) == 0, "needs strace"),
    .enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1, "needs a second core"))
  func aFileThatCannotBeLookedAtAfterItsMoveStaysOurs() throws {
    let world = try World(published: payload(count: 1000))
    let sandbox = world.sandbox
    var launch = sandbox.runner.launch([])
    launch.executable = "/usr/bin/strace"
    // The thread that publishes looks at what it replaces, then at what it moved.
    launch.arguments = [
      "-f", "-o", "/dev/null", "-P", "a", "-e", "inject=newfstatat:error=EIO:when=2", sandbox.runner.binary, "apply",
      world.manifest,
    ]
    var result = try sandbox.runner.run(launch)
    // The two looks of a plan may fall to one thread: then nothing is published.
    for _ in 0..<10 where sandbox.published("a")?.count == 1000 { result = try sandbox.runner.run(launch) }
    #expect(result.status == 1 && result.errors.contains("input/output error"), "\(result)")
    #expect(sandbox.published("a") == Self.bytes)
    let (after, document) = try sandbox.json("apply", world.manifest)
    #expect(after.status == 0 && document["summary"]["reused"].integer == 1, "\(after)")
    #expect(sandbox.leftovers == [])
  }

  /// An intent is of the bytes that were there when it was recorded.
  @Test func partialDataOfALaterRunIsNobodysFile() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 2000, seed: 1)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    for (count, checkpoint) in [(2000, "intentRecorded"), (3000, "dataFlushed")] {
      sandbox.origin.serve("/a", .file(payload(count: count, seed: UInt64(count))))
      var launch = sandbox.runner.launch(["apply", manifest])
      launch.environment["DLSYNC_CHECKPOINT"] = checkpoint
      launch.environment["DLSYNC_CHECKPOINT_FILE"] = sandbox.folder(checkpoint)
      let process = try ChildProcess(launch)
      let isThere = until { sandbox.folder.holds(checkpoint) }
      process.kill()
      _ = process.wait()
      try #require(isThere)
      // As where the name was free meanwhile.
      if checkpoint == "intentRecorded" { for name in sandbox.leftovers { unlink(sandbox.folder(name)) } }
    }
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0 && document["warnings"].array?.isEmpty ?? false, "\(result)")
    #expect(sandbox.folder.files(below: "work/out") == ["work/out/a"])
  }

  @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "needs strace"))
  func aReplacedFileThatCannotBeRemovedIsTold() throws {
    let world = try World(published: nil)
    var launch = world.sandbox.runner.launch([])
    launch.executable = "/usr/bin/strace"
    launch.arguments = [
      "-f", "-o", "/dev/null", "-P", world.part, "-e", "inject=unlinkat:error=EIO", world.sandbox.runner.binary,
      "apply", world.manifest,
    ]
    let result = try world.sandbox.runner.run(launch)
    #expect(result.status == 0 && result.errors.contains("could not be removed: it lies at"), "\(result)")
    #expect(world.sandbox.published("a") == Self.bytes)
    #expect(world.sandbox.published(world.part) == Array("mine".utf8))
  }
}
