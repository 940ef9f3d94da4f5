import DLSyncTestSupport
import Glibc
import Testing

@Suite struct StateTests {
  /// Two finished files, the first with a checksum; what damages the database comes behind.
  private struct World {
    let sandbox: Sandbox
    let manifest: String
    let bytes = [payload(count: 3000, seed: 1), payload(count: 4000, seed: 2)]

    init() throws {
      sandbox = try Sandbox()
      let digest = "247b8562f79d05e691a09eb188e65da24010efa914de2e3a810de97265b4d044"
      let proven = (0..<300_000).map { UInt8((7 * $0 + 13) % 251) }
      sandbox.origin.serve("/a", .file(proven))
      sandbox.origin.serve("/b", .file(bytes[1]))
      manifest = try sandbox.manifest(
        """
        version: 1
        root: out
        files:
          - { url: "\(sandbox.origin.url("/a"))", destination: a, checksum: "sha256:\(digest)" }
          - { url: "\(sandbox.origin.url("/b"))", destination: b }
          - { url: "\(sandbox.origin.url("/c"))", destination: c }

        """)
      #expect(try sandbox.run("apply", manifest).status == 1)
    }

    static let database = "home/.local/state/dlsync/state.db"

    func overwriteDatabase() throws -> [UInt8] {
      for ending in ["-wal", "-shm"] { _ = sandbox.folder.remove(Self.database + ending) }
      let damaged = Array(String(repeating: "not a database", count: 500).utf8)
      try sandbox.folder.write(damaged, to: Self.database)
      return damaged
    }

    func findings(_ document: JSONValue) -> [String?] {
      document["manifests"][0]["files"].array?.map { $0["finding"].string } ?? []
    }

    func reasons() throws -> [String?] {
      try sandbox.json("plan", manifest).document["files"].array?.map { $0["reason"].string } ?? []
    }
  }

  /// SQLite takes so short a file for an empty database; for dlsync it is not somebody else's but what is left of its own.
  /// In processes of their own: the mask is one for all threads.
  @Test(arguments: ["0", "022", "0777"]) func everythingIsForTheOwnerAloneWhateverTheUmask(mask: String) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .silence)
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let state = sandbox.folder("x/y/state")
    var launch = sandbox.runner.launch([])
    launch.executable = "/bin/sh"
    launch.arguments = [
      "-c", "umask \(mask); exec \"$0\" apply \"$1\" --state \"$2\"", sandbox.runner.binary, manifest, state,
    ]
    let process = try ChildProcess(launch)
    // Whoever is not root cannot fetch anything with the last mask.
    #expect(until { sandbox.origin.liveRequests > 0 || !process.isRunning })
    func mode(_ path: String) -> mode_t? {
      var found = stat()
      return lstat(path, &found) == 0 ? found.st_mode & 0o7777 : nil
    }
    #expect(mode(state) == 0o700 && mode(state + "/state.db") == 0o600)
    for name in FileBytes.names(in: state) where name.hasPrefix("state.db") {
      #expect(mode(state + "/" + name) == 0o600)
    }
    process.kill()
    _ = process.wait()
  }

  @Test(arguments: [1, 300]) func stateThatWasCutCanBeMadeAnew(length: Int) throws {
    let world = try World()
    _ = try world.overwriteDatabase()
    try world.sandbox.folder.write([UInt8](repeating: 0x53, count: length), to: World.database)
    let (result, document) = try world.sandbox.json("apply", world.manifest)
    #expect(result.status == 4 && document["error"]["code"].string == "stateUnavailable", "\(result)")
    #expect(document["error"]["message"].string?.contains("it was cut to \(length) B") == true, "\(result)")
    #expect(try world.sandbox.run("state", "rebuild", world.manifest).status == 0)
    #expect(try world.sandbox.run("state", "check").status == 0)
  }

  @Test func aSoundStateIsSound() throws {
    let world = try World()
    let (result, document) = try world.sandbox.json("state", "check")
    #expect(result.status == 0, "\(result)")
    #expect(document["exists"].bool == true)
    #expect(document["taskCount"].integer == 3)
    #expect(document["findings"].array?.isEmpty == true)
    #expect(try world.sandbox.run("state", "check").output.contains("is sound, 3 tasks."))
  }

  @Test func nothingRecordedIsSoundAndStaysSo() throws {
    let sandbox = try Sandbox()
    let (result, document) = try sandbox.json("state", "check")
    #expect(result.status == 0 && document["exists"].bool == false)
    #expect(sandbox.folder.files(below: "home") == [])
  }

  @Test func damageIsToldAndNotTouched() throws {
    let world = try World()
    let damaged = try world.overwriteDatabase()
    let (result, document) = try world.sandbox.json("state", "check")
    #expect(result.status == 4, "\(result)")
    #expect(document["findings"][0]["severity"].string == "unusable")
    #expect(document["findings"][0]["hint"].string?.contains("dlsync state rebuild") == true)
    #expect(world.sandbox.folder.read(World.database) == damaged)
  }

  @Test func modesThatLetOthersInAreTrouble() throws {
    let world = try World()
    chmod(world.sandbox.folder(World.database), 0o644)
    let (result, document) = try world.sandbox.json("state", "check")
    #expect(result.status == 1, "\(result)")
    #expect(document["findings"][0]["severity"].string == "trouble")
    #expect(document["findings"][0]["path"].string?.hasSuffix("state.db") == true)
  }

  @Test func orphanedPartialDataIsNoticed() throws {
    let world = try World()
    try world.sandbox.folder.write("x", to: "work/out/.dlsync-0123456789ab.part")
    let (result, document) = try world.sandbox.json("state", "check")
    #expect(result.status == 0)
    #expect(document["findings"].array?.map { $0["severity"].string } == ["notice"])
    #expect(world.sandbox.leftovers.count == 1)
  }

  @Test func rebuildAdoptsWhatIsThereAndKeepsTheOldState() throws {
    let world = try World()
    let damaged = try world.overwriteDatabase()
    let requests = world.sandbox.origin.requests().count
    let (result, document) = try world.sandbox.json("state", "rebuild", world.manifest)
    #expect(result.status == 0, "\(result)")
    #expect(world.findings(document) == ["adopted", "adoptedAsItIs", "absent"])
    #expect(document["setAside"].array?.count == 1)
    #expect(world.sandbox.folder.read(World.database + ".old-1") == damaged)
    #expect(try world.reasons() == ["unchanged", "unchanged", "new"])
    #expect(world.sandbox.origin.requests().count == requests)
    #expect(try world.sandbox.run("state", "check").status == 0)
  }

  @Test func whatTheOldStateKnewStillCounts() throws {
    let world = try World()
    try world.sandbox.folder.write("changed by the user", to: "work/out/b")
    let (_, document) = try world.sandbox.json("state", "rebuild", world.manifest)
    #expect(world.findings(document) == ["adopted", "modified", "absent"])
    #expect(try world.reasons()[1] == "destinationModified")
    #expect(world.sandbox.published("b") == Array("changed by the user".utf8))
  }

  @Test func rebuildSaysWhatItForgets() throws {
    let world = try World()
    let other = try world.sandbox.folder.write(
      "version: 1\nname: other\nroot: out\nfiles:\n  - { url: '\(world.sandbox.origin.url("/b"))', destination: d }\n",
      to: "work/other.yaml")
    #expect(try world.sandbox.run("apply", other).status == 0)
    let text = try world.sandbox.run("state", "rebuild", world.manifest)
    #expect(text.status == 0 && text.output.contains("Forgotten: other, which no named manifest is for\n"), "\(text)")
    #expect(text.output.contains("name all your manifests"), "\(text)")
    let (_, document) = try world.sandbox.json("state", "rebuild", other)
    #expect(document["forgotten"].array?.map { $0.string } == [world.manifest])
    let (_, whole) = try world.sandbox.json("state", "rebuild", other, world.manifest)
    #expect(whole["forgotten"].array?.isEmpty == true)
  }

  @Test func rebuildTakesNothingThatTheManifestSpeaksAgainst() throws {
    let world = try World()
    _ = try world.overwriteDatabase()
    try world.sandbox.folder.write("other bytes", to: "work/out/a")
    let text = try #require(FileBytes.text(world.manifest))
    try world.sandbox.manifest(text.replacing("destination: b }", with: "destination: b, onConflict: keep }"))
    let (_, document) = try world.sandbox.json("state", "rebuild", world.manifest)
    #expect(world.findings(document) == ["inTheWay", "kept", "absent"])
    #expect(try world.reasons() == ["destinationExists", "kept", "new"])
  }

  @Test func aRunningQueueKeepsItsState() throws {
    let world = try World()
    world.sandbox.origin.serve("/c", .silence)
    let process = try world.sandbox.runner.start("apply", world.manifest)
    #expect(world.sandbox.origin.wait { $0.liveRequests == 1 })
    let (result, document) = try world.sandbox.json("state", "rebuild", world.manifest)
    #expect(result.status == 4, "\(result)")
    #expect(document["error"]["code"].string == "stateLocked")
    #expect(document["error"]["message"].string == "process \(process.processID) is at work with this state")
    #expect(document["error"]["hint"].string?.contains("--lock-timeout") == false, "the command has no such option")
    #expect(world.sandbox.folder.holds(World.database) && !world.sandbox.folder.holds(World.database + ".old-1"))
    process.kill()
    _ = process.wait()
  }

  @Test func unknownActionsNameTheNearest() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run("state", "chek")
    #expect(result.status == 2 && result.errors.contains("did you mean \"check\"?"), "\(result)")
    #expect(try sandbox.run("state", "rebuild").status == 2)
    #expect(try sandbox.run("state", "check", "x").status == 2)
  }
}
