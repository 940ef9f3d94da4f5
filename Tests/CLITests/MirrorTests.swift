import DLSyncTestSupport
import Testing

/// Mirrors that serve segments beside the URL of the entry.
@Suite struct MirrorTests {
  private static let bytes = payload(count: 6_000_000, seed: 3)
  private let sandbox: Sandbox
  private let mirror: Origin

  init() throws {
    sandbox = try Sandbox()
    mirror = try Origin()
  }

  private func serve(_ origin: Origin, _ bytes: [UInt8] = MirrorTests.bytes, entityTag: String = "\"v1\"") {
    origin.serve("/a", .file(bytes, entityTag: entityTag).paced(bytesPerSecond: 2_000_000))
  }

  private func manifest(_ checksum: Bool) throws -> String {
    try sandbox.manifest(
      files: [("/a", "a")], queue: "{ connectionsPerFile: 4, chunkSize: 64KiB }",
      each: ["mirrors: ['\(mirror.url("/a"))']"]
        + (checksum ? ["checksum: sha256:\(try sandbox.sha256(Self.bytes))"] : []))
  }

  @Test(arguments: [true, false]) func hostsShareOneFile(checksum: Bool) throws {
    serve(sandbox.origin)
    serve(mirror)
    let result = try sandbox.run("apply", try manifest(checksum))
    #expect(result.status == 0 && sandbox.published("a") == Self.bytes, "\(result)")
    #expect(!mirror.requests().isEmpty && !result.errors.contains("warning"), "\(result)")
  }

  /// `Retry-After` is a matter of the host that says it (RFC 9110, section 10.2.3), not of the others that have the file.
  @Test(arguments: [true, false]) func whatOneServerAsksForHoldsUpNoOther(isOwnBusy: Bool) throws {
    let busy = Script.status(503).with("Retry-After", "600")
    let lossy: [Script] = [.file([1, 2, 3]).cut(after: 1), .file([1, 2, 3])]
    if isOwnBusy { sandbox.origin.serve("/a", busy) } else { sandbox.origin.serve("/a", lossy) }
    if isOwnBusy { mirror.serve("/a", lossy) } else { mirror.serve("/a", busy) }
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], queue: "{ retry: { baseDelay: 100ms } }",
      each: ["mirrors: ['\(mirror.localhostURL("/a"))']"])
    let result = try sandbox.run("apply", manifest)
    #expect(result.status == 0 && sandbox.published("a") == [1, 2, 3] && result.seconds < 10, "\(result)")
    #expect((isOwnBusy ? sandbox.origin : mirror).requests("/a").count == 1)
  }

  /// Servers of other versions may well use one entity tag.
  @Test(arguments: ["\"lie\"", "\"v1\""]) func lyingMirrorIsDroppedAndNamed(tag: String) throws {
    serve(sandbox.origin)
    serve(mirror, payload(count: Self.bytes.count, seed: 4), entityTag: tag)
    let result = try sandbox.run("apply", try manifest(true))
    #expect(result.status == 0 && sandbox.published("a") == Self.bytes, "\(result)")
    #expect(
      result.errors.contains("\(mirror.url("/a"))\" gave other bytes than it should"), "\(result)")
    let asked = mirror.requests().count
    let again = try sandbox.run("apply", try manifest(true))
    #expect(asked > 0 && again.status == 0 && mirror.requests().count == asked)
  }

  @Test func mismatchNamesTheServerThatWasAsked() throws {
    sandbox.origin.serve("/a", .file([1, 2, 3]))
    mirror.serve("/a", .file([4, 5, 6]))
    let manifest = try sandbox.manifest(
      files: [("/a", "a")],
      each: ["mirrors: ['\(mirror.url("/a"))']", "checksum: sha256:\(try sandbox.sha256([0]))"])
    let (_, document) = try sandbox.json("apply", manifest)
    let message = document["files"][0]["error"]["message"].string ?? ""
    for (url, bytes) in [(sandbox.origin.url("/a"), [1, 2, 3] as [UInt8]), (mirror.url("/a"), [4, 5, 6])] {
      #expect(message.contains("\"\(url)\" is not the expected file"), "\(message)")
      #expect(message.contains(try sandbox.sha256(bytes)), "\(message)")
    }
  }

  @Test func theMirrorsReasonIsTheMirrors() throws {
    sandbox.origin.serve("/a", .status(503))
    mirror.serve("/a", .status(404))
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], queue: "{ retry: { maxAttempts: 2, baseDelay: 10ms, maxDelay: 10ms } }",
      each: ["mirrors: ['\(mirror.url("/a"))']"])
    let error = try sandbox.json("apply", manifest).document["files"][0]["error"]
    #expect(error["retryable"].bool == true && error["statusCode"].integer == 503, "\(error)")
    let (first, rest) = ("answered 503 Service Unavailable", "because the server answered 404 Not Found")
    #expect(error["message"].string?.contains(first) == true && error["message"].string?.contains(rest) == true)
    #expect(sandbox.origin.requests("/a").count == 2 && mirror.requests("/a").count == 1)
  }

  @Test func mirrorThatCannotProveItselfStaysOut() throws {
    serve(sandbox.origin)
    serve(mirror, payload(count: Self.bytes.count, seed: 4), entityTag: "\"other\"")
    let result = try sandbox.run("apply", try manifest(false))
    #expect(result.status == 0 && sandbox.published("a") == Self.bytes, "\(result)")
    #expect(mirror.requests().count <= 1)
  }
}
