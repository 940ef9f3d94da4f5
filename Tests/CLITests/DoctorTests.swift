import DLSyncTestSupport
import Testing

@Suite struct DoctorTests {
  @Test func everythingIsLookedAtAndNothingLeft() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "deep/a")])
    let before = sandbox.folder.files()
    let (result, document) = try sandbox.json("doctor", manifest)
    #expect(result.status == 0, "\(result)")
    let subjects = Set(document["items"].array?.compactMap { $0["subject"].string } ?? [])
    let expected: Set = [
      "state", "writing", "locks", "rename", "reflinks", "space", "certificates", "clock", "network", "libraries",
    ]
    #expect(subjects == expected)
    #expect(
      result.output.contains("libcurl ") && result.output.contains("SQLite ") && result.output.contains("OpenSSL"))
    #expect(sandbox.folder.files() == before)
    #expect(sandbox.origin.requests().isEmpty)
  }

  @Test func roomThatIsShortIsTrouble() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: ["size: 900TB"])
    let (result, document) = try sandbox.json("doctor", manifest)
    #expect(result.status == 1, "\(result)")
    let trouble = document["items"].array?.filter { $0["verdict"].string == "trouble" } ?? []
    #expect(trouble.map { $0["subject"].string } == ["space"])
    let text = try sandbox.run("doctor", manifest, "--quiet")
    #expect(text.status == 1 && (text.output + text.errors).contains("FAIL"))
  }

  @Test func aFolderThatTakesNoFilesIsTrouble() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run("doctor", "--state", "/proc/none/state")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("no file can be made"))
  }
}
