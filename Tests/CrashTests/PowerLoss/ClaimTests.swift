import DLSyncTestSupport
import Glibc
import Testing

/// Chunks are recorded before their data is on the device. Whatever a loss of power leaves of that data, and of the record,
/// no chunk is believed that is not there, and what is there is not fetched again.
@Suite struct ClaimTests {
  private static let chunk = 65_536
  private static let bytes = payload(count: 48 * chunk, seed: 77)

  /// A download over four connections that was killed when chunks were recorded.
  private struct Cut {
    let sandbox: Sandbox
    let manifest: String
    /// The record as it was at some moment before the last chunks.
    private(set) var earlierRecord: [String: [UInt8]] = [:]

    init() throws {
      sandbox = try Sandbox()
      sandbox.origin.serve("/a", .file(ClaimTests.bytes).paced(bytesPerSecond: 200_000))
      manifest = try sandbox.manifest(
        files: [("/a", "a")], queue: "{ connectionsPerFile: 4, chunkSize: 64KiB }")
      let process = try sandbox.runner.start("apply", manifest)
      try wait(for: 4)
      earlierRecord = record
      try wait(for: 12)
      process.kill()
      _ = process.wait()
      #expect(sandbox.published("a") == nil)
    }

    private func wait(for chunks: Int) throws {
      let end = time(nil) + 30
      while try confirmed() < chunks {
        try #require(time(nil) < end)
        usleep(20_000)
      }
    }

    private func confirmed() throws -> Int {
      let task = try sandbox.json("status").document["tasks"][0]
      return task["chunks"]["confirmed"].integer ?? 0
    }

    var part: String { get throws { try #require(sandbox.leftovers.first) } }

    private var record: [String: [UInt8]] {
      let names = sandbox.folder.files().filter { $0.contains("state.db") && !$0.hasSuffix("-shm") }
      return Dictionary(uniqueKeysWithValues: names.compactMap { name in sandbox.folder.read(name).map { (name, $0) } })
    }

    func loseRecord() throws {
      for name in sandbox.folder.files() where name.contains("state.db") { unlink(sandbox.folder(name)) }
      for (name, bytes) in earlierRecord { try sandbox.folder.write(bytes, to: name) }
    }

    /// The next run brings the right bytes, and fetches at most so many.
    func goesOn(_ when: String, fetching most: Int) throws {
      sandbox.origin.serve("/a", .file(ClaimTests.bytes))
      let (result, document) = try sandbox.json("apply", manifest)
      #expect(result.status == 0, "\(when)\n\(result)")
      #expect(sandbox.published("a") == ClaimTests.bytes, "\(when)")
      #expect(sandbox.leftovers.isEmpty, "\(when)")
      #expect(document["files"][0]["fetchedBytes"].integer ?? 0 <= most, "\(when)\n\(result.output)")
    }
  }

  @Test func chunksWithoutTheirBytesAreFetchedAgain() throws {
    let cut = try Cut()
    let part = try cut.part
    var left = try #require(cut.sandbox.folder.read(part))
    // Blocks that were allocated and never written; a page here, a stretch there.
    for page in stride(from: 0, to: left.count, by: 5 * Self.chunk) {
      for index in page..<min(page + 4096, left.count) { left[index] = 0 }
    }
    try cut.sandbox.folder.write(left, to: part)
    try cut.goesOn("pages are zero", fetching: Self.bytes.count - Self.chunk)
  }

  @Test(arguments: [0, 1, 3 * chunk + 17]) func shorterFileIsCompleted(length: Int) throws {
    let cut = try Cut()
    let part = try cut.part
    let left = try #require(cut.sandbox.folder.read(part))
    try cut.sandbox.folder.write(Array(left.prefix(length)), to: part)
    try cut.goesOn("cut to \(length)", fetching: Self.bytes.count)
  }

  @Test func lostFileIsFetchedWhole() throws {
    let cut = try Cut()
    unlink(cut.sandbox.folder(try cut.part))
    try cut.goesOn("no partial data", fetching: Self.bytes.count)
  }

  @Test func earlierRecordTellsOfFewerChunks() throws {
    let cut = try Cut()
    try cut.loseRecord()
    try cut.goesOn("an earlier record", fetching: Self.bytes.count - 4 * Self.chunk)
  }
}
