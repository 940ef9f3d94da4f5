import DLSyncTestSupport
import Testing

@Suite struct ListCommandTests {
  @Test func importedListsAreManifests() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 100)))
    try sandbox.folder.write("\(sandbox.origin.url("/a"))\n  out=x\n  seed-time=1\n", to: "work/l.txt")
    let imported = try sandbox.run("import", "aria2", "l.txt")
    #expect(imported.status == 0 && imported.errors.contains("`seed-time` on line 3"), "\(imported)")
    try sandbox.manifest(imported.output)
    #expect(try sandbox.run("apply", "manifest.yaml").status == 0)
    #expect(sandbox.folder.read("work/x") == payload(count: 100))
    let (_, document) = try sandbox.json("import", "aria2", "l.txt")
    #expect(document["text"].string == imported.output && document["losses"].array?.count == 1)
  }

  @Test func exportsSayWhatIsLost() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "d/a")], each: ["tags: [x]", "headers: { X-K: v }"])
    let exported = try sandbox.run("export", "urls", manifest)
    #expect(exported.status == 0 && exported.output == sandbox.origin.url("/a") + "\n")
    #expect(exported.errors.contains("headers") && exported.errors.contains("tags"), "\(exported)")
  }

  @Test(arguments: [
    ["import", "tar", "x"], ["export", "aria", "x"], ["import", "urls"], ["export", "urls", "gone.yaml"],
    ["import", "urls", "gone"],
  ])
  func mistakesEndWithTwo(arguments: [String]) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.runner.run(sandbox.runner.launch(arguments))
    #expect(result.status == 2 && result.output == "", "\(result)")
  }
}
