import DLSyncTestSupport
import Testing

/// Where files come from beside their URL: mirrors, published checksums, lists, and the server asked again.
@Suite struct SourceTests {
  private let quick = "{retry: {maxAttempts: 2, baseDelay: 1ms, maxDelay: 1ms}}"

  /// In a state of its own: equal bytes are not fetched twice within one.
  private func sha256(of path: String, _ sandbox: Sandbox) throws -> String {
    let manifest = try sandbox.manifest(files: [(path, "reference")], name: "reference.yaml")
    let (_, document) = try sandbox.json("apply", manifest, "--state", "\(sandbox.work)/reference-state")
    return try #require(document["files"][0]["sha256"].string)
  }

  @Test func aListOfChecksumsIsReadOnceAndNeverSeesTheHeaders() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 5000)))
    sandbox.origin.serve("/b", .file(payload(count: 5000)))
    let digest = try sha256(of: "/a", sandbox)
    sandbox.origin.serve("/SUMS", [.status(503), .redirect(to: "/real")])
    sandbox.origin.serve("/real", .status(200, "\(digest)  a\n\(digest) *./x/b\n"))
    let manifest = try sandbox.manifest(
      files: [("/a", "a"), ("/b", "b")], queue: quick,
      each: ["headers: {X-Key: secret}", "checksum: {algorithm: sha256, from: \"\(sandbox.origin.url("/SUMS"))\"}"])
    let result = try sandbox.run("apply", manifest)
    #expect(result.status == 0, "\(result)")
    let asked = sandbox.origin.requests("/SUMS") + sandbox.origin.requests("/real")
    #expect(asked.count == 3)
    #expect(asked.allSatisfy { $0.header("X-Key") == nil })
    #expect(sandbox.origin.requests("/b").first?.header("X-Key") == "secret")
    let before = sandbox.origin.connectionCount
    let (_, again) = try sandbox.json("apply", manifest)
    #expect(again["summary"]["reused"].integer == 2)
    #expect(sandbox.origin.connectionCount == before)
  }

  @Test func aFileWhoseChecksumCannotBeHadIsNotBegun() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    sandbox.origin.serve("/SUMS", .status(404))
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], each: ["checksum: {algorithm: md5, from: \"\(sandbox.origin.url("/SUMS"))\"}"])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 1)
    #expect(document["files"][0]["error"]["code"].string == "checksumUnavailable")
    #expect(sandbox.origin.requests("/a").isEmpty)
    #expect(sandbox.leftovers == [])
  }

  @Test func aMirrorServesWithoutTheHeadersAndTheLiarIsNamed() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/good", .file(payload(count: 5000)))
    sandbox.origin.serve("/bad", .file(payload(count: 4000)))
    let digest = try sha256(of: "/good", sandbox)
    let manifest = try sandbox.manifest(
      files: [("/bad", "a")],
      each: [
        "headers: {X-Key: secret}", "checksum: \(digest)", "mirrors: [\"\(sandbox.origin.url("/good?m"))\"]",
      ])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.published("a") == payload(count: 5000))
    #expect(document["files"][0]["warnings"].array?.first?.string?.contains("/bad") == true)
    let mirrored = sandbox.origin.requests("/good").last
    #expect(mirrored?.target == "/good?m" && mirrored?.header("X-Key") == nil)
    #expect(sandbox.origin.requests("/bad").first?.header("X-Key") == "secret")
  }

  @Test func aMirrorIsAskedAtOnceAndAllOfThemAsOftenAsRetriesAllow() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .status(503))
    sandbox.origin.serve("/m", .status(503))
    sandbox.origin.serve("/gone", .status(404))
    let mirrors = ["/gone", "/m"].map { "\"\(sandbox.origin.url($0))\"" }.joined(separator: ", ")
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: quick, each: ["mirrors: [\(mirrors)]"])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 1)
    #expect(["/a", "/gone", "/m"].map { sandbox.origin.requests($0).count } == [2, 1, 2])
    #expect(document["files"][0]["error"]["statusCode"].integer == 503)
  }

  @Test func aRefreshTouchesOnlyWhatChanged() throws {
    let sandbox = try Sandbox()
    let old = payload(count: 3000)
    let new = payload(count: 4000)
    sandbox.origin.serve("/a") { request in
      if request.attempt == 1 { return .file(old, entityTag: "\"v1\"") }
      if request.attempt <= 4 { return request.header("If-None-Match") == "\"v1\"" ? .status(304) : .status(500) }
      return .file(new, entityTag: "\"v2\"")
    }
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("apply", manifest).status == 0)
    let (_, planned) = try sandbox.json("plan", manifest, "--refresh")
    #expect(planned["files"][0]["reason"].string == "unchanged")
    let words = try sandbox.run("apply", manifest, "--refresh")
    #expect(words.status == 0 && words.errors == "", "\(words)")
    let (_, same) = try sandbox.json("apply", manifest, "--refresh")
    #expect(same["summary"]["reused"].integer == 1)
    #expect(same["summary"]["fetchedBytes"].integer == 0)
    #expect(sandbox.published("a") == old)
    let (_, stale) = try sandbox.json("plan", manifest, "--refresh")
    #expect(stale["files"][0]["reason"].string == "stale")
    #expect(sandbox.published("a") == old)
    let (_, changed) = try sandbox.json("apply", manifest, "--refresh")
    #expect(changed["summary"]["downloaded"].integer == 1)
    #expect(sandbox.published("a") == new)
    #expect(sandbox.leftovers == [])
  }

  @Test func aFailedRefreshLeavesTheFileFinished() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 3000)
    sandbox.origin.serve("/a", [.file(bytes), .status(404), .status(404)])
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(try sandbox.run("apply", manifest, "--refresh").status == 1)
    #expect(sandbox.published("a") == bytes)
    let (_, plan) = try sandbox.json("plan", manifest)
    #expect(plan["files"][0]["reason"].string == "unchanged")
  }

  @Test func listsAndTheStoreGoAllTheWay() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b"] { sandbox.origin.serve("/\(name)", .file(payload(count: 100))) }
    try sandbox.manifest("url,destination\n\(sandbox.origin.url("/a")),x/a\n", name: "list.csv")
    try sandbox.manifest("\(sandbox.origin.url("/b"))\n", name: "list.txt")
    let manifest = try sandbox.manifest(
      "version: 1\nroot: out\nfilesFrom: [{path: list.csv}, {path: list.txt, managed: true}]\n")
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.published("x/a") == payload(count: 100))
    let managed = try #require(document["files"][1]["destination"].string)
    #expect(managed.hasSuffix("/b") && !managed.hasPrefix(sandbox.work))
    #expect(try sandbox.run("plan", manifest, "--detailed-exitcode").status == 0)
  }
}
