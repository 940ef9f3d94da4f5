import DLSyncTestSupport
import Testing

@Suite struct PlanTests {
  @Test func planHasItsShape() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/b", "deep/b")], each: ["size: 10"])
    let (result, document) = try sandbox.json("plan", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(
      Set(document.names).isSuperset(of: [
        "formatVersion", "command", "scope", "manifest", "queues", "files", "orphans", "summary",
      ]))
    #expect(document["formatVersion"].integer == 1)
    #expect(document["command"].string == "plan")
    #expect(document["scope"].string == manifest)
    #expect(document["queues"][0]["name"].string == "default")
    #expect(document["queues"][0]["action"].string == "create")
    #expect(document["queues"][0]["mode"].string == "foreground")
    let file = document["files"][1]
    #expect(
      Set(file.names).isSuperset(of: [
        "id", "destination", "url", "queue", "priority", "action", "reason", "held", "bytes", "error",
      ]))
    #expect(file["id"].string?.wholeMatch(of: /[0-9a-f]{12}/) != nil)
    #expect(file["destination"].string == "\(sandbox.out)/deep/b")
    #expect(file["action"].string == "download")
    #expect(file["reason"].string == "new")
    #expect(file["held"].bool == false)
    #expect(file["bytes"].integer == 10)
    #expect(file["error"].isNull)
    #expect(document["summary"]["total"].integer == 2)
    #expect(document["summary"]["downloadBytes"].integer == 20)
  }

  @Test func planChangesNothingAndAsksNobody() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let before = sandbox.folder.files()
    #expect(try sandbox.run("plan", manifest).status == 0)
    #expect(try sandbox.run("apply", "--dry-run", manifest).status == 0)
    #expect(sandbox.folder.files() == before)
    #expect(!sandbox.folder.holds("work/out") && !sandbox.folder.holds("home/.local"))
    #expect(sandbox.origin.connectionCount == 0)
  }

  @Test func planTextEndsWithTheSum() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/b", "b")], each: ["size: 1048576"])
    let result = try sandbox.run("plan", manifest)
    let lines = result.output.split(separator: "\n")
    #expect(lines.last?.hasPrefix("Plan: 2 to download (2.0 MiB), 0 unchanged, 0 conflict") == true, "\(result.output)")
    #expect(lines.filter { $0.hasPrefix("+") }.count == 2, "\(result.output)")
    #expect(result.output.contains("new"))
    #expect(!result.output.contains("\u{1b}"))
  }

  @Test func identicalPlansAreIdenticalTexts() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: (0..<50).map { ("/\($0)", "f\($0 * 7 % 50)") })
    let first = try sandbox.run("plan", manifest, "--format", "json").output
    #expect(try sandbox.run("plan", manifest, "--format", "json").output == first)
  }

  @Test func detailedExitStatusTellsWhatIsToDo() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("plan", manifest, "--detailed-exitcode").status == 10)
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(try sandbox.run("plan", manifest, "--detailed-exitcode").status == 0)
    try sandbox.folder.write("changed", to: "work/out/a")
    #expect(try sandbox.run("plan", manifest, "--detailed-exitcode").status == 3)
    #expect(try sandbox.run("plan", manifest).status == 0)
  }

  @Test func copiesAndPermissionsAreSomethingToDo() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let first = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("apply", first).status == 0)
    let two = try sandbox.manifest(files: [("/a", "a"), ("/a", "b")])
    #expect(try sandbox.run("plan", two, "--detailed-exitcode").status == 10)
    #expect(try sandbox.run("apply", two).status == 0)
    let closed = try sandbox.manifest(files: [("/a", "a"), ("/a", "b")], each: ["permissions: \"0600\""])
    #expect(try sandbox.run("plan", closed, "--detailed-exitcode").status == 10)
    #expect(try sandbox.run("apply", closed).status == 0)
    #expect(try sandbox.run("plan", closed, "--detailed-exitcode").status == 0)
  }

  @Test func theLastEventOfAPlanIsTheReport() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let events = try sandbox.run("plan", manifest, "--format", "ndjson").events()
    #expect(events.map { $0["event"].string } == ["plan", "report"])
    let document = try sandbox.json("plan", manifest).document
    for event in events {
      #expect(event["files"] == document["files"] && event["summary"] == document["summary"])
    }
  }

  @Test func selectionKeepsOnlyWhatMatches() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "bin/a"), ("/b", "bin/b"), ("/c", "share/c")])
    func selected(_ pattern: String) throws -> [String] {
      let (_, document) = try sandbox.json("plan", manifest, "--only", pattern)
      return document["files"].array?.compactMap { $0["destination"].string }.map {
        String($0.dropFirst(sandbox.out.count + 1))
      } ?? []
    }
    #expect(try selected("bin/*") == ["bin/a", "bin/b"])
    #expect(try selected("\(sandbox.out)/share/c") == ["share/c"])
    #expect(try selected(sandbox.origin.url("/b")) == ["bin/b"])
    #expect(try selected("none") == [])
  }

  @Test func severalManifestsShareOneDocument() throws {
    let sandbox = try Sandbox()
    let one = try sandbox.manifest(files: [("/a", "a")], name: "one.yaml")
    let two = try sandbox.manifest(files: [("/b", "b")], name: "two.yaml")
    let (result, document) = try sandbox.json("plan", one, two)
    #expect(result.status == 0)
    #expect(document["manifests"].array?.count == 2, "\(result.output)")
    #expect(document["summary"]["download"].integer == 2)
  }

  @Test func whatAnEarlierManifestWillHaveIsAConflictOfALaterOne() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    try sandbox.folder.write("mine", to: "work/out/kept")
    let one = try sandbox.manifest(
      files: [("/a", "a"), ("/a?1", "kept")], each: ["onConflict: keep"], name: "one.yaml")
    let two = try sandbox.manifest(
      files: [("/a", "a"), ("/a?1", "a/b"), ("/a?2", "kept"), ("/a?3", "c")], each: ["onConflict: keep"],
      name: "two.yaml")
    func reasons(_ command: String, _ option: String = "--quiet") throws -> [String?] {
      let (_, document) = try sandbox.json(command, one, two, option)
      return document["manifests"][1]["files"].array?.map { $0["reason"].string } ?? []
    }
    let wanted = ["destinationConflict", "destinationConflict", "kept", "new"]
    #expect(try reasons("plan") == wanted)
    #expect(try reasons("apply", "--dry-run") == wanted)
    #expect(try reasons("apply") == wanted)
  }
}
