import DLSyncTestSupport
import Testing

/// Limits of open files, which shells and service managers set low.
@Suite struct OpenFilesTests {
  private let sandbox: Sandbox
  private let manifest: String
  private let names = (0..<120).map { "f\($0)" }
  private let bytes = payload(count: 2000)

  init() throws {
    sandbox = try Sandbox()
    for name in names { sandbox.origin.serve("/" + name, .file(bytes)) }
    manifest = try sandbox.manifest(files: names.map { ("/" + $0, $0) }, queue: "{ concurrency: 64 }")
  }

  @Test(.timeLimit(.minutes(2)), arguments: [48, 100]) func aLowLimitMakesARunSlowerAndNothingElse(limit: Int) throws {
    let result = try sandbox.shell("ulimit -n \(limit); exec \"$0\" apply \"$1\"", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(names.allSatisfy { sandbox.published($0) == bytes } && sandbox.leftovers == [])
  }

  /// A soft limit is raised, and programs that are started have it as it was.
  @Test func aSoftLimitIsNoLimit() throws {
    let script = try sandbox.folder.write("#!/bin/sh\nulimit -n > \"$1\"\nulimit -Hn >> \"$1\"\n", to: "hook.sh")
    let said = sandbox.folder("limits")
    let result = try sandbox.shell(
      "ulimit -Sn 40; ulimit -Hn 500; exec \"$0\" apply \"$1\" --on-complete \"sh $2 $3\"", manifest, script, said)
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.folder.read("limits").map { String(decoding: $0, as: UTF8.self) } == "40\n500\n")
  }
}
