import DLSyncTestSupport
import Glibc
import Testing

@Suite struct RepairTests {
  private func finished() throws -> (sandbox: Sandbox, manifest: String) {
    let sandbox = try Sandbox()
    for name in ["a", "b", "c"] {
      sandbox.origin.serve("/\(name)", .file(payload(count: 5000, seed: UInt64(name.utf8.first!))))
    }
    let manifest = try sandbox.manifest(
      files: ["a", "b", "c"].map { ("/\($0)", $0) }, queue: "{ retry: { maxAttempts: 1 } }")
    #expect(try sandbox.run("apply", manifest).status == 0)
    return (sandbox, manifest)
  }

  private func bytes(_ name: String) -> [UInt8] { payload(count: 5000, seed: UInt64(name.utf8.first!)) }

  @Test func whatIsNotIntactIsFetchedAgainAndNothingElse() throws {
    let (sandbox, manifest) = try finished()
    try sandbox.folder.write("changed", to: "work/out/a")
    #expect(sandbox.folder.remove("work/out/b"))
    let before = sandbox.origin.requests().count
    let (result, document) = try sandbox.json("verify", manifest, "--repair")
    #expect(result.status == 0, "\(result)")
    let files = document["files"].array ?? []
    #expect(files.map { $0["finding"].string } == ["differs", "missing", "intact"])
    #expect(files.map { $0["repaired"].bool } == [true, true, false])
    #expect(document["summary"]["repaired"].integer == 2)
    #expect(Set(sandbox.origin.requests().dropFirst(before).map(\.path)) == ["/a", "/b"])
    for name in ["a", "b", "c"] { #expect(sandbox.published(name) == bytes(name)) }
    #expect(try sandbox.run("verify", manifest).status == 0)
    #expect(sandbox.leftovers == [])
  }

  /// Size and times are as recorded: only hashing shows the damage.
  @Test func silentDamageIsRepaired() throws {
    let (sandbox, manifest) = try finished()
    var status = stat()
    #expect(stat(sandbox.folder("work/out/a"), &status) == 0)
    var damaged = bytes("a")
    damaged[77] ^= 1
    try sandbox.folder.write(damaged, to: "work/out/a")
    utimensat(AT_FDCWD, sandbox.folder("work/out/a"), [status.st_atim, status.st_mtim], 0)
    #expect(try sandbox.run("verify", "--repair", manifest).status == 0)
    #expect(sandbox.published("a") == bytes("a"))
  }

  @Test func whatCannotBeRepairedSaysWhy() throws {
    let (sandbox, manifest) = try finished()
    #expect(sandbox.folder.remove("work/out/a") && sandbox.folder.remove("work/out/b"))
    symlink("c", sandbox.folder("work/out/a"))
    mkdir(sandbox.folder("work/out/b"), 0o755)
    let before = sandbox.origin.requests().count
    let (result, document) = try sandbox.json("verify", "--repair", manifest)
    let files = document["files"].array ?? []
    #expect(result.status == 1 && files.map { $0["finding"].string } == ["unreadable", "unreadable", "intact"])
    #expect(files.map { $0["error"]["code"].string } == ["destinationExists", "destinationInvalid", nil], "\(result)")
    #expect(sandbox.origin.requests().count == before)
    #expect(sandbox.published("c") == bytes("c"))
  }

  @Test func onlyDamagedChunksTravel() throws {
    let sandbox = try Sandbox()
    let large = payload(count: 4 << 20, seed: 9)
    sandbox.origin.serve("/a", .file(large))
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: "{ chunkSize: 256KiB }")
    #expect(try sandbox.run("apply", manifest).status == 0)
    for damage in [0, 1 << 20, (4 << 20) - 1] {
      var damaged = large
      damaged[damage] ^= 1
      try sandbox.folder.write(damaged, to: "work/out/a")
      let before = sandbox.origin.bodyBytesSent
      let result = try sandbox.run("verify", "--repair", manifest)
      #expect(result.status == 0, "\(result)")
      #expect(sandbox.published("a") == large)
      #expect(sandbox.origin.bodyBytesSent - before <= 512 << 10, "byte \(damage)")
      #expect(sandbox.leftovers == [])
    }
    #expect(try sandbox.json("plan", manifest).document["files"][0]["reason"].string == "unchanged")
  }

  @Test func repairsNeverMixTwoVersions() throws {
    let sandbox = try Sandbox()
    let (old, new) = (payload(count: 2 << 20, seed: 1), payload(count: 2 << 20, seed: 2))
    sandbox.origin.serve("/a", .file(old))
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: "{ chunkSize: 256KiB }")
    #expect(try sandbox.run("apply", manifest).status == 0)
    var damaged = old
    damaged[1_000_000] ^= 1
    try sandbox.folder.write(damaged, to: "work/out/a")
    sandbox.origin.serve("/a", .file(new, entityTag: "\"v2\""))
    _ = try sandbox.run("verify", "--repair", manifest)
    #expect([damaged, new].contains(sandbox.published("a")))
  }

  @Test func whatCannotBeHadLeavesTheFileAsItIs() throws {
    let (sandbox, manifest) = try finished()
    try sandbox.folder.write("changed", to: "work/out/a")
    sandbox.origin.serve("/a", .status(500))
    let (result, document) = try sandbox.json("verify", manifest, "--repair")
    #expect(result.status == 1, "\(result)")
    #expect(document["files"][0]["repaired"].bool == false)
    #expect(document["files"][0]["error"]["code"].string == "httpStatus")
    #expect(sandbox.published("a") == Array("changed".utf8))
    #expect(sandbox.leftovers == [])
  }

  @Test func filesThatAreNotOursAreNotReplaced() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 100)))
    try sandbox.folder.write("mine", to: "work/out/a")
    let zeros = String(repeating: "0", count: 64)
    for lines in [[], ["checksum: sha256:\(zeros)"], ["onConflict: keep"]] {
      let manifest = try sandbox.manifest(files: [("/a", "a")], each: lines)
      #expect(try sandbox.run("verify", "--repair", manifest).status == 1)
      #expect(sandbox.published("a") == Array("mine".utf8))
    }
    #expect(sandbox.origin.requests().isEmpty)
  }

  @Test func changedWishesWaitForApply() throws {
    let (sandbox, _) = try finished()
    sandbox.origin.serve("/a2", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a2", "a"), ("/b", "b"), ("/c", "c")])
    #expect(sandbox.folder.remove("work/out/b"))
    #expect(try sandbox.run("verify", "--repair", manifest).status == 0)
    #expect(sandbox.published("a") == bytes("a"))
    #expect(sandbox.published("b") == bytes("b"))
    #expect(sandbox.origin.requests("/a2").isEmpty)
  }
}
