import DLSyncTestSupport
import Glibc
import Testing

@Suite struct PruneTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    for name in ["a", "b", "c"] { sandbox.origin.serve("/\(name)", .file(payload(count: 1000))) }
    let manifest = try manifest("a", "b", "c")
    #expect(try sandbox.run("apply", manifest).status == 0)
  }

  private func manifest(_ names: String...) throws -> String {
    try sandbox.manifest(
      "version: 1\nroot: out\nfiles:\n"
        + names.map { "  - { url: '\(sandbox.origin.url("/\($0)"))?\($0)', destination: \($0) }\n" }.joined()
        + (names.isEmpty ? "  []\n" : ""))
  }

  @Test func orphansGoWithTheirUnchangedFiles() throws {
    let (result, document) = try sandbox.json("apply", try manifest("c"), "--prune")
    #expect(result.status == 0, "\(result)")
    #expect(document["summary"]["pruned"].integer == 2)
    #expect(sandbox.published("a") == nil && sandbox.published("b") == nil && sandbox.published("c") != nil)
    #expect(try sandbox.json("plan", manifest("c")).document["orphans"].array?.isEmpty == true)
  }

  /// None of them is an orphan of another one: each would delete what the others brought.
  @Test func manifestsOfOneNamePruneWhatNoneOfThemNames() throws {
    let paths = try ["a", "b"].map { name in
      try sandbox.manifest(
        "version: 1\nname: both\nroot: two\nfiles: [\(sandbox.origin.url("/\(name)"))]\n", name: "\(name).yaml")
    }
    try sandbox.manifest("version: 1\nname: both\nroot: two\nfiles: [\(sandbox.origin.url("/c"))]\n", name: "c.yaml")
    #expect(try sandbox.run("apply", "a.yaml", "b.yaml", "c.yaml").status == 0)
    let plans = try sandbox.json("plan", paths[0], paths[1]).document["manifests"].array ?? []
    #expect(plans.map { $0["orphans"].array?.count } == [1, 1])
    let (result, document) = try sandbox.json("apply", paths[0], paths[1], "--prune")
    #expect(result.status == 0 && document["summary"]["pruned"].integer == 1, "\(result)")
    #expect(sandbox.folder.files(below: "work/two").sorted() == ["work/two/a", "work/two/b"])
  }

  /// A task has another id in another queue; its file is the same.
  @Test func aNamesakesFileStaysInWhateverQueueItIs() throws {
    func write(_ name: String, _ queue: String, _ files: [String]) throws -> String {
      let entries = files.map { "{ url: \"\(sandbox.origin.url("/" + $0))\", queue: \(queue) }" }
      return try sandbox.manifest(
        "version: 1\nname: both\nroot: two\nqueues: { default: {}, large: {} }\nfiles: [\(entries.joined(separator: ", "))]\n",
        name: name)
    }
    #expect(try sandbox.run("apply", write("a.yaml", "default", ["a", "b"])).status == 0)
    let paths = [try write("a.yaml", "default", ["a"]), try write("b.yaml", "large", ["b"])]
    let requests = sandbox.origin.requests().count
    let (result, document) = try sandbox.json("apply", paths[0], paths[1], "--prune")
    #expect(result.status == 0 && document["summary"]["pruned"].integer == 0, "\(result)")
    #expect(sandbox.folder.files(below: "work/two").sorted() == ["work/two/a", "work/two/b"])
    #expect(sandbox.origin.requests().count == requests)
  }

  @Test func changedFilesStayAndAreTold() throws {
    try sandbox.folder.write("mine", to: "work/out/a")
    let result = try sandbox.run("apply", try manifest("c"), "--prune")
    #expect(result.status == 0)
    #expect(result.output.contains("2 pruned"), "\(result)")
    #expect(result.errors.contains("/out/a\" stays"), "\(result)")
    #expect(sandbox.published("a") == Array("mine".utf8) && sandbox.published("b") == nil)
  }

  @Test func everyFileThatGoesIsNamed() throws {
    let manifest = try manifest("c")
    try sandbox.folder.write("mine", to: "work/out/a")
    let before = try sandbox.json("log").document["events"].array?.count ?? 0
    let result = try sandbox.run("apply", manifest, "--prune")
    #expect(result.output.hasPrefix("  \(sandbox.folder("work/out/b"))  deleted\n\nDone: "), "\(result)")
    let events = (try sandbox.json("log").document["events"].array ?? []).dropFirst(before)
    #expect(events.map { $0["event"].string } == ["runBegun", "removed", "removed", "runFinished"])
    #expect(events.dropFirst(2).first?["destination"].string == sandbox.folder("work/out/b"))
    let run = events.last?["run"].integer
    #expect(run != nil && events.dropFirst().allSatisfy { $0["run"].integer == run })
    #expect(events.last?["summary"]["pruned"].integer == 2 && events.last?["exitStatus"].integer == 0)
  }

  @Test func verbosePrunesNameWhatStaysAndWhatWasGone() throws {
    try sandbox.folder.write("mine", to: "work/out/a")
    #expect(unlink(sandbox.folder("work/out/b")) == 0)
    let result = try sandbox.run("apply", try manifest("c"), "--prune", "--verbose")
    #expect(result.output.contains("/out/a  forgotten; the file stays\n"), "\(result)")
    #expect(result.output.contains("/out/b  forgotten; no file was there\n"), "\(result)")
    #expect(!result.output.contains("deleted"), "\(result)")
  }

  @Test func withoutPruneNothingGoes() throws {
    let (_, document) = try sandbox.json("apply", try manifest("c"))
    #expect(document["summary"]["pruned"].integer == 0 && document["orphans"].array?.count == 2)
    #expect(sandbox.published("a") != nil && sandbox.published("b") != nil)
  }

  @Test func whatIsNotSelectedIsNoOrphan() throws {
    for selection in ["--only=a", "--shard=1/2", "--queue=default"] {
      let (result, document) = try sandbox.json("apply", try manifest("a", "b", "c"), "--prune", selection)
      #expect(result.status == 0 && document["summary"]["pruned"].integer == 0, "\(selection): \(result)")
    }
    #expect(["a", "b", "c"].allSatisfy { sandbox.published($0) != nil })
  }

  @Test func planSaysWhatWouldGo() throws {
    let result = try sandbox.run("plan", try manifest("c"), "--prune", "--detailed-exitcode")
    #expect(result.status == 10)
    #expect(result.output.contains("/out/a  will be forgotten"), "\(result)")
    #expect(sandbox.published("a") != nil)
    #expect(try sandbox.run("plan", try manifest("c"), "--detailed-exitcode").status == 0)
  }

  @Test func shardsAreAPartition() throws {
    let manifest = try manifest("a", "b", "c")
    let parts = try (1...2).map { part in
      try sandbox.json("plan", manifest, "--shard", "\(part)/2").document["files"].array?.count ?? 0
    }
    #expect(parts.reduce(0, +) == 3)
  }

  /// Managed files lie below the state folder, which is another one on each machine; the parts are the same.
  @Test func shardsOfManagedFilesAreTheSameOnEveryMachine() throws {
    let files = (0..<16).map { "  - { url: 'https://h/\($0)', managed: true }\n" }.joined()
    let manifest = try sandbox.manifest("version: 1\nfiles:\n" + files)
    let parts = try ["here", "there/deeper"].map { state in
      try sandbox.json("plan", manifest, "--shard", "1/2", "--state", sandbox.folder(state)).document["files"].array?
        .map { $0["url"].string }
    }
    #expect(parts[0] == parts[1] && parts[0]?.isEmpty == false, "\(parts)")
  }

  /// What `get` fetched is no manifest's, whatever the manifest is called.
  @Test(arguments: ["get", "library"]) func aNameMakesNoOthersFilesItsOwn(name: String) throws {
    #expect(try sandbox.run("get", sandbox.origin.url("/a"), "-o", "mine").status == 0)
    let named = try sandbox.manifest("version: 1\nname: \(name)\nroot: out\nfiles: []\n")
    let (result, document) = try sandbox.json("apply", named, "--prune")
    #expect(result.status == 0 && document["summary"]["pruned"].integer == 0, "\(result)")
    #expect(sandbox.folder.holds("work/mine"))
  }
}
