import DLSyncTestSupport
import Glibc
import Testing

/// What belongs to dlsync itself is no destination, and what it could not take away is not forgotten.
@Suite struct OwnFilesTests {
  private let bytes = payload(count: 3000)

  @Test(arguments: ["state.db", "state.db-wal", "run"], [false, true])
  func fileOfTheStateIsNeverReplaced(name: String, throughALink: Bool) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(bytes))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let state = sandbox.folder("state")
    #expect(try sandbox.run("apply", manifest, "--state", state).status == 0)
    let place = throughALink ? sandbox.folder("way") : state
    if throughALink { #expect(symlink(state, place) == 0) }
    let other = try sandbox.manifest(files: [("/a", place + "/" + name)], name: "other.yaml")
    let (result, document) = try sandbox.json("apply", other, "--on-conflict", "replace", "--state", state)
    #expect(result.status == 3, "\(result)")
    #expect(document["files"][0]["error"]["code"].string == "destinationInvalid")
    #expect(try sandbox.run("state", "check", "--state", state).status == 0)
    let again = try sandbox.json("apply", manifest, "--state", state)
    #expect(again.document["summary"]["reused"].integer == 1)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
  func fileThatCouldNotBeDeletedIsStillKnown() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(bytes))
    mkdir(sandbox.work, 0o755)
    let disk = try #require(SmallDisk(sandbox.out, "1m"))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(disk.setReadOnly(true))
    let (result, document) = try sandbox.json("remove", "--all", "--delete-file")
    #expect(result.status == 1, "\(result)")
    #expect(document["results"][0]["error"]["code"].string == "permissionDenied", "\(result)")
    #expect(disk.setReadOnly(false))
    #expect(try sandbox.run("remove", "--all", "--delete-file").status == 0)
    #expect(sandbox.published("a") == nil)
    #expect(try sandbox.json("status").document["tasks"].array?.isEmpty == true)
  }

  @Test func userFilesThatOnlyLookLikeProbesStay() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b"] { sandbox.origin.serve("/" + name, .file(bytes)) }
    try sandbox.folder.write("mine", to: "work/out/.dlsync-probe-notes")
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/b", "b")])
    #expect(try sandbox.run("apply", manifest).status == 0)
    _ = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("apply", manifest, "--prune").status == 0)
    #expect(sandbox.published("b") == nil && sandbox.published(".dlsync-probe-notes") == Array("mine".utf8))
  }

  @Test func whatIsInThePlaceOfLocksIsNamed() throws {
    let sandbox = try Sandbox()
    let state = sandbox.folder("state")
    #expect(mkdir(state, 0o700) == 0)
    try sandbox.folder.write("", to: "state/run")
    let result = try sandbox.run("state", "check", "--state", state)
    #expect(result.status == 4 && result.output.contains("/state/run: it is no folder"), "\(result)")
  }
}
