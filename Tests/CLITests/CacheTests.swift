import DLSyncTestSupport
import Testing

/// Equal bytes travel once, whatever the destination and the manifest.
@Suite struct CacheTests {
  private let sandbox: Sandbox
  private let bytes = payload(count: 200_000)
  private let digest: String

  init() throws {
    sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(bytes))
    let manifest = try sandbox.manifest(files: [("/a", "first")], name: "first.yaml")
    digest = try #require(try sandbox.json("apply", manifest).document["files"][0]["sha256"].string)
    #expect(try sandbox.run("remove", "--all").status == 0)
  }

  private func manifest(_ name: String, _ destination: String, checksum: String? = nil) throws -> String {
    try sandbox.manifest(
      files: [("/a?\(name)", destination)], each: ["checksum: \(checksum ?? digest)"], name: "\(name).yaml")
  }

  private var requests: Int { sandbox.origin.requests("/a").count }
  private var cached: [String] { sandbox.folder.files(below: "work/cache") }

  @Test func bytesOfAnotherManifestAreCopied() throws {
    #expect(try sandbox.run("apply", try manifest("m", "x")).status == 0)
    let before = requests
    let (_, plan) = try sandbox.json("plan", try manifest("n", "y"))
    #expect(plan["files"][0]["reason"].string == "copied")
    let (result, document) = try sandbox.json("apply", try manifest("n", "y"))
    #expect(result.status == 0 && document["summary"]["fetchedBytes"].integer == 0, "\(result)")
    #expect(sandbox.published("y") == bytes && requests == before)
  }

  @Test func copiesOfOneFileHaveTheTimeThatTheServerToldOfIt() throws {
    let files = [("/a", "x"), ("/a", "y")]
    let manifest = try sandbox.manifest(files: files, each: ["modified: server"])
    #expect(try sandbox.run("apply", manifest).status == 0)
    _ = try sandbox.manifest(files: files + [("/a", "z")], each: ["modified: server"])
    let (_, document) = try sandbox.json("apply", manifest)
    #expect(document["files"][2]["reason"].string == "copied")
    for name in ["x", "y", "z"] {
      let time = try ChildProcess(Launch("/usr/bin/stat", ["-c", "%Y", sandbox.out + "/\(name)"])).wait().output
      #expect(time == "1577836800\n", "\(name)")
    }
  }

  @Test func bytesThatWereChangedThereAreFetched() throws {
    #expect(try sandbox.run("apply", try manifest("m", "x")).status == 0)
    try sandbox.folder.write("mine", to: "work/out/x")
    let before = requests
    #expect(try sandbox.run("apply", try manifest("n", "y")).status == 0)
    #expect(sandbox.published("y") == bytes && requests == before + 1)
  }

  @Test func theCacheGivesWhatIsNowhereElse() throws {
    #expect(try sandbox.run("apply", try manifest("m", "x"), "--cache", "cache").status == 0)
    #expect(cached.count == 1)
    #expect(try sandbox.run("remove", "--all", "--delete-file").status == 0)
    #expect(sandbox.published("x") == nil)
    let before = requests
    let other = try manifest("n", "y")
    let (_, plan) = try sandbox.json("plan", other, "--cache", "cache")
    #expect(plan["files"][0]["reason"].string == "copied")
    let result = try sandbox.run("apply", other, "--cache", "cache", "--offline")
    #expect(result.status == 0 && sandbox.published("y") == bytes && requests == before, "\(result)")
    #expect(try sandbox.run("apply", try manifest("o", "z"), "--cache", "off").status == 0)
    #expect(requests == before, "the other manifest has the bytes")
  }

  @Test func theEnvironmentNamesTheCacheAndTheOptionOverrulesIt() throws {
    let environment = ["DLSYNC_CACHE": sandbox.folder("work/cache")]
    #expect(try sandbox.run("apply", try manifest("m", "x"), "--cache", "off", environment: environment).status == 0)
    #expect(cached.isEmpty)
    #expect(try sandbox.run("remove", "--all", environment: environment).status == 0)
    #expect(try sandbox.run("apply", try manifest("n", "y"), environment: environment).status == 0)
    #expect(cached.count == 1)
  }

  @Test func otherStrongDigestsFindTheSameBytes() throws {
    let strong = String(repeating: "0", count: 128)
    let wrong = try sandbox.run("apply", try manifest("m", "x", checksum: "sha512:\(strong)"))
    let actual = try #require(wrong.errors.firstRange(of: "got ").map { wrong.errors[$0.upperBound...].prefix(128) })
    let right = try manifest("m", "x", checksum: "sha512:\(actual)")
    #expect(try sandbox.run("apply", right, "--cache", "cache").status == 0)
    #expect(try sandbox.run("remove", "--all", "--delete-file").status == 0)
    let before = requests
    let again = try manifest("n", "y", checksum: "sha512:\(actual)")
    #expect(try sandbox.run("apply", again, "--cache", "cache").status == 0)
    #expect(sandbox.published("y") == bytes && requests == before)
  }

  @Test(arguments: ["other bytes", ""]) func aDamagedEntryIsDroppedAndFetchedAgain(_ content: String) throws {
    #expect(try sandbox.run("apply", try manifest("m", "x"), "--cache", "cache").status == 0)
    #expect(try sandbox.run("remove", "--all", "--delete-file").status == 0)
    let entry = try #require(cached.first)
    #expect(sandbox.folder.remove(entry))
    try sandbox.folder.write(content, to: entry)
    let before = requests
    let (result, document) = try sandbox.json("apply", try manifest("n", "y"), "--cache", "cache")
    let warning = "the cache had other bytes than it should and lost them: \"\(sandbox.folder(entry))\""
    #expect(result.status == 0 && result.errors.contains(warning), "\(result)")
    #expect(document["files"][0]["warnings"].array?.map(\.string) == [warning], "\(document)")
    #expect(sandbox.published("y") == bytes && requests == before + 1)
    let isRight = sandbox.folder.read(entry) == bytes
    #expect(isRight, "the right bytes are kept instead")
  }

  @Test func infoCountsAndClearDropsWhatIsFinished() throws {
    #expect(try sandbox.run("apply", try manifest("m", "x"), "--cache", "cache").status == 0)
    #expect(try sandbox.run("get", sandbox.origin.url("/a"), "--cache", "off").status == 0)
    try sandbox.folder.write("foreign", to: "work/cache/notes.txt")
    let (_, info) = try sandbox.json("cache", "info", "--cache", "cache")
    #expect(info["cached"]["count"].integer == 1 && info["cached"]["bytes"].integer == 200_000, "\(info)")
    #expect(info["managed"]["count"].integer == 1 && info["partial"]["count"].integer == 0)
    let (result, cleared) = try sandbox.json("cache", "clear", "--cache", "cache")
    #expect(result.status == 0 && cleared["cached"]["bytes"].integer == 200_000)
    #expect(cached == ["work/cache/notes.txt"])
    #expect(sandbox.published("x") == bytes)
    #expect(try sandbox.json("status").document["tasks"].array?.count == 2)
    #expect(try sandbox.run("cache", "info").output.contains("off"))
  }
}
