import DLSyncTestSupport
import DLSyncThreading
import Testing

/// One of several connections that falls silent holds the file up for seconds, not for the time of timeouts.request.
@Suite struct StalledConnectionTests {
  private static let bytes = payload(count: 3_000_000, seed: 5)

  /// The first request for a range brings so many bytes and nothing more, or not even an answer.
  @Test(arguments: [20_000, nil]) func whatIsLeftOfASilentConnectionComesOverAnother(_ brought: Int?) throws {
    let sandbox = try Sandbox()
    let script = Script.file(Self.bytes, entityTag: "\"v1\"").paced(bytesPerSecond: 2_000_000)
    let stalled = Locked(false)
    sandbox.origin.serve("/a") { request in
      let isFirst =
        request.header("Range") != nil
        && stalled.withLock { stalled in
          defer { stalled = true }
          return !stalled
        }
      guard isFirst else { return script }
      return brought.map { script.cut(after: $0, .silence) } ?? .silence
    }
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: "{connectionsPerFile: 2, chunkSize: 64KiB}")
    let (result, document) = try sandbox.json("apply", manifest)
    let isWhole = sandbox.published("a") == Self.bytes
    #expect(result.status == 0 && isWhole && stalled.withLock { $0 }, "\(result)")
    #expect(document["summary"]["seconds"].number ?? 99 < 20)
    #expect(document["files"][0]["attempts"].integer == 1)
  }
}
