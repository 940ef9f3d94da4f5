import DLSyncTestSupport
import Testing

/// `--max-bytes` and `--max-duration`.
@Suite struct LimitTests {
  @Test func limitsStopARunThatTheNextOneEnds() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 2_000_000)
    sandbox.origin.serve("/a", [.file(bytes).paced(bytesPerSecond: 500_000), .file(bytes)])
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: "{ chunkSize: 64KiB }")
    let (result, document) = try sandbox.json("apply", manifest, "--max-bytes", "500kB")
    #expect(result.status == 0 && result.errors.contains("--max-bytes"), "\(result)")
    #expect(document["files"][0]["state"].string == "waiting")
    #expect(try sandbox.run("apply", manifest, "--max-duration", "1m").status == 0)
    #expect(sandbox.published("a") == bytes)
  }

  @Test func nothingBeginsAtALimitHoweverSmallFilesAre() throws {
    let sandbox = try Sandbox()
    let names = ["a", "b", "c"]
    for name in names { sandbox.origin.serve("/\(name)", .file([1, 2])) }
    let manifest = try sandbox.manifest(files: names.map { ("/\($0)", $0) }, queue: "{ concurrency: 1 }")
    let (result, document) = try sandbox.json("apply", manifest, "--max-bytes", "3")
    let states = document["files"].array?.map(\.["state"].string)
    #expect(result.status == 0 && states == ["completed", "completed", "waiting"], "\(result)")
    #expect(sandbox.origin.requests("/c").isEmpty)
  }

  @Test func aLimitThatTheLastFileReachesStopsNothing() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file([1, 2]))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let result = try sandbox.run("apply", manifest, "--max-bytes", "2")
    #expect(result.status == 0 && sandbox.published("a") == [1, 2], "\(result)")
  }
}
