import DLSyncTestSupport
import Glibc
import Testing

/// What ends one manifest of a command line, and what that is for those behind it.
@Suite struct SeveralManifestsTests {
  private let sandbox: Sandbox
  private let first: String
  private let second: String

  init() throws {
    let sandbox = try Sandbox()
    self.sandbox = sandbox
    sandbox.origin.serve("/b", .file([1]))
    func manifest(_ name: String) throws -> String {
      try sandbox.manifest(
        """
        version: 1
        name: \(name)
        root: out
        files: [{ url: "\(sandbox.origin.url("/\(name)"))", destination: \(name) }]

        """, name: "\(name).yaml")
    }
    first = try manifest("a")
    second = try manifest("b")
  }

  @Test(arguments: [["--max-bytes", "1kB"], ["--max-duration", "300ms"]])
  func limitsAreOfTheWholeCommand(limit: [String]) throws {
    sandbox.origin.serve("/a", .file(payload(count: 5000)).cut(after: 2000, .silence))
    let (result, document) = try sandbox.json("apply", first, second, limit[0], limit[1])
    #expect(result.status == 0, "\(result)")
    #expect(document["manifests"][1]["files"][0]["state"].string == "waiting", "\(document)")
    #expect(sandbox.origin.requests("/b").isEmpty)
    #expect(try sandbox.run("apply", second).status == 0)
    #expect(sandbox.published("b") == [1])
  }

  @Test func failFastLeavesTheManifestsBehindAlone() throws {
    let (result, document) = try sandbox.json("apply", first, second, "--fail-fast")
    #expect(result.status == 1 && result.errors.contains("--fail-fast"), "\(result)")
    #expect(document["manifests"][1]["files"][0]["state"].string == "waiting", "\(document)")
    #expect(sandbox.origin.requests("/b").isEmpty)
    #expect(try sandbox.run("apply", first, second).status == 1)
    #expect(sandbox.published("b") == [1])
  }

  @Test func aSignalNamesTheManifestsThatHadNoTurn() throws {
    sandbox.origin.serve("/a", .silence)
    let process = try sandbox.runner.start("apply", first, second, "--format", "json")
    #expect(sandbox.origin.wait { $0.liveRequests == 1 })
    process.send(SIGINT)
    let result = process.wait(.seconds(20))
    #expect(result.status == 130, "\(result)")
    let document = try JSONValue(result.output)
    #expect(document["manifests"].array?.count == 2, "\(document)")
    #expect(document["manifests"][1]["manifest"].string == second)
    #expect(document["manifests"][1]["error"]["code"].string == "interrupted")
    #expect(document["manifests"][1]["exitStatus"].integer == 130 && sandbox.origin.requests("/b").isEmpty)
  }
}
