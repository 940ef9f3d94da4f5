import DLSyncTestSupport
import DLSyncThreading
import Testing

/// A host that answers with Retry-After is asked by nobody before its time, by whatever way a file leads there.
@Suite struct LeftAloneTests {
  private let sandbox: Sandbox
  private let busy: Origin
  private let bytes = payload(count: 3000)
  private let queue = "{concurrency: 1, retry: {maxAttempts: 2, baseDelay: 1ms, maxDelay: 1ms}}"

  init() throws {
    sandbox = try Sandbox()
    busy = try Origin()
    busy.serve("/a", [.status(503).with("Retry-After", "1"), .file(bytes)])
  }

  /// The URL by another name of this machine: another host.
  private func localhost(_ path: String) -> String { "http://localhost:\(busy.port)\(path)" }

  private func seconds(_ first: RecordedRequest?, _ second: RecordedRequest?) throws -> Double {
    try #require(second).time.seconds(since: try #require(first).time)
  }

  @Test func aBusyHostIsNotAskedByWayOfARedirect() throws {
    sandbox.origin.serve("/1", .redirect(to: localhost("/a")))
    sandbox.origin.serve("/2", .redirect(to: localhost("/b")))
    busy.serve("/b", .file(bytes))
    let manifest = try sandbox.manifest(files: [("/1", "a"), ("/2", "b")], queue: queue)
    let result = try sandbox.run("apply", manifest)
    #expect(result.status == 0 && sandbox.published("b") == bytes, "\(result)")
    #expect(try seconds(busy.requests("/a").first, busy.requests("/b").first) >= 0.95)
    #expect(busy.requests("/b").count == 1)
  }

  @Test func aBusyHostIsNotAskedForAList() throws {
    sandbox.origin.serve("/1", .redirect(to: localhost("/a")))
    sandbox.origin.serve("/2", .file(bytes))
    busy.serve("/SUMS", .status(200, "00000000000000000000000000000000  2\n"))
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      queues: {default: \(queue)}
      files:
        - {url: "\(sandbox.origin.url("/1"))", destination: a}
        - url: "\(sandbox.origin.url("/2"))"
          destination: b
          checksum: {algorithm: md5, from: "\(localhost("/SUMS"))"}

      """)
    let (_, document) = try sandbox.json("apply", manifest)
    #expect(document["files"][1]["error"]["code"].string == "checksumMismatch")
    #expect(try seconds(busy.requests("/a").first, busy.requests("/SUMS").first) >= 0.95)
  }

  /// The body of a redirect comes late: what is left of the pause then is not a new one.
  @Test func aPauseIsNotMadeLongerByWhoIsPutOff() throws {
    let files = (1...40).map { ("/r\($0)", "f\($0)") }
    for (path, _) in files {
      var late = Script.status(302, "0123456789").with("Location", localhost(path))
      late.bytesPerSecond = 100
      sandbox.origin.serve(path, late)
      busy.serve(path, path == "/r1" ? [.status(503).with("Retry-After", "1"), .file(bytes)] : [.file(bytes)])
    }
    let queue = "{concurrency: 8, retry: {maxAttempts: 2, baseDelay: 1ms, maxDelay: 1ms}}"
    let result = try sandbox.run("apply", try sandbox.manifest(files: files, queue: queue))
    #expect(result.status == 0, "\(result)")
    #expect(files.allSatisfy { sandbox.origin.requests($0.0).count <= 4 })
  }

  @Test func aMirrorIsAskedNoMoreOftenBecauseTheOwnHostIsPutOff() throws {
    sandbox.origin.serve("/1", .status(503).with("Retry-After", "3600"))
    busy.serve("/m", .status(500))
    let manifest = try sandbox.manifest(
      files: [("/1", "a"), ("/2", "b")],
      queue: "{concurrency: 1, timeouts: {resource: 5s}, retry: {maxAttempts: 3, baseDelay: 10ms, maxDelay: 10ms}}",
      each: ["mirrors: ['\(localhost("/m"))']"])
    #expect(try sandbox.run("apply", manifest).status == 1)
    #expect(busy.requests("/m").count <= 6)
  }

  @Test func whoMayNotWaitSoLongFailsAtOnce() throws {
    sandbox.origin.serve("/1", .status(503).with("Retry-After", "3600"))
    sandbox.origin.serve("/2", .file(bytes))
    let manifest = try sandbox.manifest(
      files: [("/1", "a"), ("/2", "b")], queue: "{concurrency: 1, timeouts: {resource: 30s}}")
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 1)
    for index in 0...1 {
      let error = document["files"][index]["error"]
      #expect(error["code"].string == "resourceTimeout" && error["statusCode"].integer == 503, "\(error)")
    }
    #expect(sandbox.origin.requests("/2").isEmpty && sandbox.leftovers == [])
  }

  @Test func aMirrorServesWhoeverMayNotWait() throws {
    sandbox.origin.serve("/1", .status(503).with("Retry-After", "3600"))
    busy.serve("/m", .file(bytes))
    let manifest = try sandbox.manifest(
      files: [("/1", "a"), ("/2", "b")], queue: "{concurrency: 1, timeouts: {resource: 30s}}",
      each: ["mirrors: ['\(localhost("/m"))']"])
    let result = try sandbox.run("apply", manifest)
    #expect(result.status == 0 && sandbox.published("b") == bytes, "\(result)")
  }
}
