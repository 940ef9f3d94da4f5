import DLSyncTestSupport
import DLSyncThreading
import Glibc
import Testing

/// A state folder that somebody takes away while a run works with it.
@Suite struct MovedStateTests {
  @Test(arguments: ["removed", "moved"]) func aRunThatLosesItsRecordSaysSo(how: String) throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 200_000)
    let isGone = Locked(false)
    sandbox.origin.serve("/a") { _ in
      _ = until { isGone.withLock { $0 } }
      return .file(bytes)
    }
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let process = try sandbox.runner.start("apply", manifest, "--format", "json")
    #expect(sandbox.origin.wait { _ in !sandbox.origin.requests("/a").isEmpty })
    let folder = sandbox.folder("home/.local/state/dlsync")
    #expect(rename(folder, folder + ".old") == 0)
    if how == "removed" { _ = try sandbox.shell("rm -r \"$1\"", folder + ".old") }
    isGone.withLock { $0 = true }
    let result = process.wait(.seconds(30))
    #expect(result.status == 4, "\(result)")
    let document = try JSONValue(result.output)
    #expect(document["error"]["code"].string == "stateUnavailable", "\(result)")
    #expect(result.errors.contains("moved or removed"), "\(result)")
    #expect(sandbox.published("a").map { $0 == bytes } ?? true)
  }
}
