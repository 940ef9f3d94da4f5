import DLSyncTestSupport
import Glibc
import Testing

/// A device that loses what it took. The system tells of that once, with the next flush, and goes on showing the bytes.
@Suite(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "needs strace"))
struct FlushTroubleTests {
  enum Moment: CaseIterable { case whileBytesCome, whenAllAreThere }

  @Test(arguments: Moment.allCases)
  func whatTheDeviceMayLackIsFetchedAgain(moment: Moment) throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 2_000_000)
    let file = Script.file(bytes)
    sandbox.origin.serve("/a", moment == .whileBytesCome ? file.paced(bytesPerSecond: 400_000) : file)
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: "{ chunkSize: 64KiB }")
    let id = try #require(try sandbox.json("plan", manifest).document["files"][0]["id"].string)
    var launch = sandbox.runner.launch([])
    launch.executable = "/usr/bin/strace"
    launch.arguments = [
      "-f", "-o", "/dev/null", "-P", sandbox.out + "/.dlsync-\(id).part", "-e", "inject=fdatasync:error=EIO:when=1",
      sandbox.runner.binary, "apply", manifest,
    ]
    let failed = try sandbox.runner.run(launch)
    #expect(failed.status == 1 && failed.errors.contains("could not flush"), "\(failed)")
    #expect(sandbox.published("a") == nil && sandbox.leftovers == [])
    sandbox.origin.serve("/a", file)
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(sandbox.published("a") == bytes)
    #expect(sandbox.origin.requests("/a").map { $0.range(of: bytes.count) } == [nil, nil])
  }
}
