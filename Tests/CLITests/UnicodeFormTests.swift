import DLSyncTestSupport
import Testing

/// Two forms of one Unicode character are two names on disk: two files, two folders, two manifests.
@Suite struct UnicodeFormTests {
  private static let forms = ["\u{e9}", "e\u{301}"]
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    for (index, form) in Self.forms.enumerated() {
      sandbox.origin.serve("/\(index)", .file(Array("content \(form)".utf8)))
    }
  }

  /// One entry for each form, its destination with the form in it.
  private func manifest(_ destination: (String) -> String, name: String = "manifest.yaml") throws -> String {
    try sandbox.manifest(files: Self.forms.enumerated().map { ("/\($0)", destination($1)) }, name: name)
  }

  @Test(arguments: ["", "/x"]) func filesAndFoldersAreTwo(below: String) throws {
    let manifest = try manifest { $0 + below }
    #expect(try sandbox.run("apply", manifest).status == 0)
    for form in Self.forms { #expect(sandbox.published(form + below) == Array("content \(form)".utf8)) }
    #expect(try sandbox.run("verify", manifest).status == 0)
    #expect(try sandbox.json("plan", manifest).document["summary"]["reuse"].integer == 2)
    // Another manifest wants both, and hears it of both.
    let other = try self.manifest({ $0 + below }, name: "other.yaml")
    #expect(try sandbox.json("plan", other).document["summary"]["conflict"].integer == 2)
    try sandbox.manifest("version: 1\nroot: out\nfiles: []\n")
    #expect(try sandbox.run("apply", "--prune", manifest).status == 0)
    #expect(sandbox.folder.files(below: "work/out") == [])
  }

  @Test func manifestsAreTwo() throws {
    for (index, form) in Self.forms.enumerated() {
      try sandbox.folder.makeFolder("work/\(form)")
      let manifest = try sandbox.manifest(files: [("/\(index)", "a")], name: "\(form)/m.yaml")
      let plan = try sandbox.json("plan", manifest).document
      #expect(plan["orphans"].array?.count == 0)
      #expect(try sandbox.run("apply", "--prune", manifest).status == 0)
    }
    for form in Self.forms { #expect(sandbox.folder.read("work/\(form)/out/a") == Array("content \(form)".utf8)) }
  }

  /// `String` takes a slash and what joins what is before it for one character.
  @Test(arguments: ["d/\u{301}x", "d/\u{200d}/x", "\u{301}"]) func aNameMayBeginWithAnAccent(name: String) throws {
    let manifest = try sandbox.manifest(files: [("/0", name)])
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(sandbox.published(name) != nil)
    #expect(try sandbox.json("plan", manifest).document["files"][0]["reason"].string == "unchanged")
  }
}
