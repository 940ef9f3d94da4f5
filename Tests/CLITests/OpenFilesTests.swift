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

  /// Queues of the agent share one process.
  @Test(.timeLimit(.minutes(2))) func aLowLimitIsForAllQueuesOfTheAgentTogether() throws {
    defer { _ = try? sandbox.run("agent", "stop") }
    let queues = (0..<6).map { "  q\($0): { mode: background, concurrency: 32, retry: { maxAttempts: 1 } }\n" }.joined()
    let files = names.enumerated().map { number, name in
      "  - { url: \"\(sandbox.origin.url("/" + name))\", destination: \(name), queue: q\(number % 6) }\n"
    }.joined()
    let all = try sandbox.manifest("version: 1\nroot: out\nqueues:\n\(queues)files:\n\(files)", name: "all.yaml")
    for name in names { sandbox.origin.serve("/" + name, .file(bytes).delayed(.milliseconds(30))) }
    let result = try sandbox.shell("ulimit -n 100; exec \"$0\" apply \"$1\" --wait", all)
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
