import DLSyncTestSupport
import Glibc
import Testing

/// What a run makes of the bytes that an earlier one left.
@Suite struct ResumeTests {
  private static let size = 300_000
  private static let chunk = 65_536
  private static let queue =
    "{chunkSize: 64KiB, retry: {maxAttempts: 3, baseDelay: 100ms, maxDelay: 200ms}}"
  private static let bytes = payload(count: size, seed: 21)

  /// A download that was killed when its first two chunks were confirmed.
  private struct Cut {
    let sandbox: Sandbox
    let manifest: String

    /// The file with the partial data.
    var part: String { get throws { try #require(sandbox.leftovers.first) } }

    init(_ first: Script, each: [String] = [], over old: [UInt8]? = nil) throws {
      sandbox = try Sandbox()
      if let old { try sandbox.folder.write(old, to: "work/out/a") }
      sandbox.origin.serve("/a", first.cut(after: 2 * ResumeTests.chunk, .silence))
      manifest = try sandbox.manifest(files: [("/a", "a")], queue: ResumeTests.queue, each: each)
      let process = try sandbox.runner.start("apply", manifest)
      #expect(sandbox.origin.wait { $0.bodyBytesSent >= Int64(2 * ResumeTests.chunk) })
      // A confirmation is due within a second.
      let end = time(nil) + 20
      while try status()["chunks"]["confirmed"].integer ?? 0 < 2, time(nil) < end { usleep(50_000) }
      process.kill()
      _ = process.wait()
      #expect(sandbox.published("a") == old)
    }

    func status() throws -> JSONValue { try sandbox.json("status").document["tasks"][0] }

    /// The next run, on this server: the file's report and the requests.
    func go(on script: Script) throws -> (file: JSONValue, requests: [RecordedRequest]) { try go { _ in script } }

    func go(_ answer: @escaping Origin.Answer) throws -> (file: JSONValue, requests: [RecordedRequest]) {
      let before = sandbox.origin.requests("/a").count
      sandbox.origin.serve("/a", answer)
      let (result, document) = try sandbox.json("apply", manifest)
      #expect(result.status == 0, "\(result)")
      return (document["files"][0], Array(sandbox.origin.requests("/a").dropFirst(before)))
    }
  }

  private func sha256(_ bytes: [UInt8]) throws -> String {
    let folder = try TemporaryFolder("sum")
    try folder.write(bytes, to: "f")
    let result = try ChildProcess(Launch("/usr/bin/sha256sum", [folder("f")])).wait()
    return String(result.output.prefix(64))
  }

  @Test func expiredTargetIsRenewedFromTheOwnURL() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 3_000_000)
    let paced = Script.file(bytes).paced(bytesPerSecond: 2_000_000)
    sandbox.origin.serve("/old", [paced, .status(403)])
    sandbox.origin.serve("/new", paced)
    sandbox.origin.serve("/a", [.redirect(to: "/old"), .redirect(to: "/new")])
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], queue: "{ connectionsPerFile: 2, chunkSize: 64KiB }")
    let result = try sandbox.run("apply", manifest)
    #expect(result.status == 0 && sandbox.published("a") == bytes, "\(result)")
    #expect(sandbox.origin.requests("/old").count == 2)
    #expect(sandbox.origin.requests("/new").first?.header("Range") != nil)
  }

  @Test func killedReplacementOfAUsersFileGoesOnToo() throws {
    let cut = try Cut(.file(Self.bytes), each: ["onConflict: replace"], over: [1, 2, 3])
    let plan = try cut.sandbox.json("plan", cut.manifest).document["files"][0]
    #expect(plan["reason"].string == "replace" && plan["bytes"].integer == Self.size - 2 * Self.chunk)
    let (file, _) = try cut.go(on: .file(Self.bytes))
    #expect(file["fetchedBytes"].integer == Self.size - 2 * Self.chunk)
    #expect(cut.sandbox.published("a") == Self.bytes)
    // Its digests are those of the file that is there, so nothing of it stands for the next one.
    try cut.sandbox.folder.write([4, 5, 6], to: "work/out/a")
    #expect(try cut.go(on: .file(Self.bytes)).file["fetchedBytes"].integer == Self.size)
    #expect(cut.sandbox.published("a") == Self.bytes)
  }

  @Test func killedDownloadGoesOnFromItsConfirmedChunks() throws {
    let cut = try Cut(.file(Self.bytes))
    let plan = try cut.sandbox.json("plan", cut.manifest).document["files"][0]
    #expect(plan["action"].string == "download" && plan["reason"].string == "resume")
    #expect(plan["bytes"].integer == Self.size - 2 * Self.chunk)
    let (file, requests) = try cut.go(on: .file(Self.bytes))
    #expect(file["fetchedBytes"].integer == Self.size - 2 * Self.chunk)
    #expect(requests.map { $0.header("Range") } == ["bytes=131072-"])
    #expect(requests.first?.header("If-Range") == "\"v1\"")
    #expect(cut.sandbox.published("a") == Self.bytes && cut.sandbox.leftovers == [])
  }

  @Test func damagedChunkAloneComesAgain() throws {
    let cut = try Cut(.file(Self.bytes))
    var damaged = try #require(cut.sandbox.folder.read(cut.part))
    damaged[10] ^= 1
    try cut.sandbox.folder.write(damaged, to: cut.part)
    let (file, requests) = try cut.go(on: .file(Self.bytes))
    #expect(file["fetchedBytes"].integer == Self.size - Self.chunk)
    #expect(requests.map { $0.header("Range") } == ["bytes=0-65535", "bytes=131072-299999"])
    #expect(cut.sandbox.published("a") == Self.bytes)
  }

  @Test func changedResourceIsFetchedFromItsStart() throws {
    let cut = try Cut(.file(Self.bytes))
    let new = payload(count: Self.size, seed: 22)
    let (file, requests) = try cut.go(on: .file(new, entityTag: "\"v2\""))
    #expect(cut.sandbox.published("a") == new)
    #expect(requests.map { $0.header("Range") } == ["bytes=131072-", nil])
    #expect(file["attempts"].integer == 1)
  }

  @Test func serverThatIgnoresRangesIsTakenFromTheStart() throws {
    let cut = try Cut(.file(Self.bytes))
    let (file, requests) = try cut.go(on: .file(Self.bytes).ranges(.ignored))
    #expect(file["fetchedBytes"].integer == Self.size && requests.count == 1)
    #expect(cut.sandbox.published("a") == Self.bytes)
  }

  @Test(arguments: [304, 400, 405, 406, 412, 501])
  func serverThatRefusesRangesIsAskedForTheWhole(status: Int) throws {
    let cut = try Cut(.file(Self.bytes))
    let (file, requests) = try cut.go { $0.header("Range") == nil ? .file(Self.bytes) : .status(status) }
    #expect(requests.map { $0.header("Range") } == ["bytes=131072-", nil])
    #expect(file["fetchedBytes"].integer == Self.size && file["attempts"].integer == 1)
    #expect(cut.sandbox.published("a") == Self.bytes && cut.sandbox.leftovers == [])
  }

  @Test func whatIsThereStaysWhereTheWholeIsRefusedToo() throws {
    let cut = try Cut(.file(Self.bytes))
    cut.sandbox.origin.serve("/a", .status(400))
    let (result, document) = try cut.sandbox.json("apply", cut.manifest)
    #expect(result.status == 1 && document["files"][0]["error"]["statusCode"].integer == 400)
    let (file, _) = try cut.go(on: .file(Self.bytes))
    #expect(file["fetchedBytes"].integer == Self.size - 2 * Self.chunk)
    #expect(cut.sandbox.published("a") == Self.bytes)
  }

  @Test func renewedTagCountsWhereAChecksumProvesTheWhole() throws {
    let sum = "checksum: sha256:\(try sha256(Self.bytes))"
    let cut = try Cut(.file(Self.bytes), each: [sum])
    let (file, _) = try cut.go(on: .file(Self.bytes, entityTag: "\"v2\""))
    #expect(file["fetchedBytes"].integer == Self.size - 2 * Self.chunk)
    #expect(cut.sandbox.published("a") == Self.bytes)
  }

  @Test func wrongBytesOfADoubtfulJoinAreFetchedAnew() throws {
    let new = payload(count: Self.size, seed: 23)
    let cut = try Cut(.file(Self.bytes), each: ["checksum: sha256:\(try sha256(new))"])
    _ = try cut.go(on: .file(new, entityTag: "\"v2\""))
    #expect(cut.sandbox.published("a") == new)
  }

  @Test func fileWithoutValidatorIsNeverResumed() throws {
    let sandbox = try Sandbox()
    let script = Script.file(Self.bytes, entityTag: nil, lastModified: nil)
    sandbox.origin.serve("/a", script.cut(after: 200_000))
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.queue)
    #expect(try sandbox.run("apply", manifest).status == 1)
    #expect(sandbox.origin.requests("/a").allSatisfy { $0.header("Range") == nil })
    #expect(sandbox.leftovers == [])
    #expect(try sandbox.json("status").document["tasks"][0]["resumable"].bool == false)
    #expect(try sandbox.json("plan", manifest).document["files"][0]["reason"].string == "retry")
  }

  @Test func failedFileKeepsWhatWasConfirmed() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a") { request in
      let lower = request.range(of: Self.size)?.lowerBound ?? 0
      return .file(Self.bytes).cut(after: max(0, 200_000 - lower))
    }
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.queue)
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 1 && document["files"][0]["error"]["code"].string == "connectionLost")
    // The first attempt confirmed chunks and does not count.
    #expect(document["files"][0]["attempts"].integer == 4)
    #expect(try sandbox.json("plan", manifest).document["files"][0]["reason"].string == "resume")
    sandbox.origin.serve("/a", .file(Self.bytes))
    let next = try sandbox.json("apply", manifest).document["files"][0]
    #expect(next["fetchedBytes"].integer == Self.size - 3 * Self.chunk)
    #expect(sandbox.published("a") == Self.bytes)
  }

  @Test func wrongRangeDropsWhatIsThere() throws {
    let cut = try Cut(.file(Self.bytes))
    cut.sandbox.origin.serve("/a", .file(Self.bytes).ranges(.shifted(by: -4096)))
    let (result, document) = try cut.sandbox.json("apply", cut.manifest)
    #expect(result.status == 1 && document["files"][0]["error"]["code"].string == "rangeInvalid")
    #expect(cut.sandbox.leftovers == [])
    let (_, requests) = try cut.go(on: .file(Self.bytes))
    #expect(requests.map { $0.header("Range") } == [nil])
    #expect(cut.sandbox.published("a") == Self.bytes)
  }

  @Test func realServerGivesOneFileOverEightConnections() throws {
    let folder = try TemporaryFolder("www")
    let bytes = payload(count: 8 << 20, seed: 24)
    try folder.write(bytes, to: "big.bin")
    let nginx = try Nginx(root: folder.path, extra: "limit_rate 1m;")
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      queues: {default: {connectionsPerFile: 8, chunkSize: 64KiB}}
      files:
        - {url: "\(nginx.url("/big.bin"))", destination: a}

      """)
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.published("a") == bytes)
    // What a connection had at hand when another one took over the rest is not counted as nothing.
    let fetched = document["files"][0]["fetchedBytes"].integer ?? 0
    #expect((8 << 20...9 << 20).contains(fetched), "\(fetched)")
    #expect(nginx.accessLog.count { $0.contains(" 206 ") } >= 7)
  }
}
