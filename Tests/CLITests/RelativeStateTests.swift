import DLSyncTestSupport
import Testing

/// A state folder that is named by a path from the working folder is that folder, for everything that lies below it.
@Suite("A relative state folder")
struct RelativeStateTests {
  @Test(arguments: ["st", "./st", "st/", "../work/st", ".//st"])
  func holdsManagedFiles(folder: String) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a.bin", .file(payload(count: 1000)))
    let manifest = try sandbox.folder.write(
      "version: 1\nfiles:\n  - {url: \"\(sandbox.origin.url("/a.bin"))\", managed: true}\n", to: "work/manifest.yaml")
    let state = sandbox.folder("work/st")
    #expect(try sandbox.run("state", "path", "--state", folder).output == state + "\n")
    let (result, document) = try sandbox.json("apply", manifest, "--state", folder)
    let place = try #require(document["files"][0]["destination"].string)
    #expect(result.status == 0 && place.hasPrefix(state + "/files/"), "\(result)")
    let usage = try sandbox.json("cache", "info", "--state", folder)
    #expect(usage.document["managed"]["count"].integer == 1, "\(usage.result)")
    // By whatever path it is named.
    #expect(try sandbox.json("plan", manifest, "--state", state).document["files"][0]["reason"].string == "unchanged")
  }

  @Test func isWhereALockFetchesTo() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a.bin", .file(payload(count: 1000)))
    let manifest = try sandbox.manifest(files: [("/a.bin", "a")])
    var launch = sandbox.runner.launch(["lock", manifest])
    launch.environment["DLSYNC_STATE"] = "st"
    let result = try sandbox.runner.run(launch)
    #expect(result.status == 0, "\(result)")
    let left = sandbox.folder.files().filter { $0.contains("lock-") || $0.hasSuffix(".bin") }
    #expect(left.isEmpty, "\(left)")
  }
}
