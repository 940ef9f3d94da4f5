import DLSyncTestSupport
import Glibc
import Testing

/// Kills at moments that nobody chose. `DLSYNC_CRASH_KILLS` asks for more of them, `DLSYNC_CRASH_SEED` for others.
@Suite struct RandomKillTests {
  @Test func killsAtAnyMomentLoseNothing() throws {
    var random = SeededGenerator(seed: number("DLSYNC_CRASH_SEED") ?? 85)
    var kills = Int(number("DLSYNC_CRASH_KILLS") ?? 12)
    while kills > 0 {
      let round = min(kills, Int.random(in: 1...4, using: &random))
      try kill(times: round, &random)
      kills -= round
    }
  }

  /// One manifest, killed several times, then left in peace.
  private func kill(times: Int, _ random: inout SeededGenerator) throws {
    let world = try MixedWorld()
    for kill in 0..<times {
      let process = try world.sandbox.runner.start("apply", world.manifest)
      usleep(UInt32.random(in: 0...400_000, using: &random))
      process.kill()
      _ = process.wait()
      world.check("kill \(kill) of \(times), \(random)")
    }
    try world.finish("\(times) kills, \(random)")
  }

  private func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}

/// Files of every kind: small ones, a large one that takes its time, replacements, copies, and one in the way.
private struct MixedWorld {
  let sandbox: Sandbox
  let manifest: String
  /// By destination: what may be there besides nothing, the wanted bytes last.
  private var allowed: [String: [[UInt8]]] = [:]
  private let mine = Array("of the user".utf8)

  init() throws {
    sandbox = try Sandbox()
    let origin = sandbox.origin
    var first: [(path: String, destination: String)] = []
    var second: [(path: String, destination: String)] = []
    for number in 0..<24 {
      let bytes = payload(count: 300 + 211 * number, seed: UInt64(number))
      origin.serve("/s\(number)", .file(bytes).delayed(.milliseconds(8)))
      second.append(("/s\(number)", "d\(number % 4)/s\(number)"))
      allowed["d\(number % 4)/s\(number)"] = [bytes]
    }
    for number in 0..<4 {
      let (old, new) = (
        payload(count: 5000, seed: 90 + UInt64(number)), payload(count: 6000, seed: 80 + UInt64(number))
      )
      origin.serve("/o\(number)", .file(old))
      origin.serve("/n\(number)", .file(new).delayed(.milliseconds(10)))
      first.append(("/o\(number)", "r\(number)"))
      second.append(("/n\(number)", "r\(number)"))
      allowed["r\(number)"] = [old, new]
    }
    let large = payload(count: 2 << 20, seed: 70)
    origin.serve("/large", .file(large).paced(bytesPerSecond: 6 << 20))
    for name in ["large", "copy of large"] {
      second.append(("/large", name))
      allowed[name] = [large]
    }
    origin.serve("/x", .file(payload(count: 10)))
    second.append(("/x", "mine"))
    #expect(try sandbox.run("apply", sandbox.manifest(files: first)).status == 0)
    try sandbox.folder.write(mine, to: "work/out/mine")
    manifest = try sandbox.manifest(files: second, queue: "{ chunkSize: 64KiB, concurrency: 4 }")
  }

  /// Nothing but allowed bytes at any destination.
  func check(_ when: String) {
    for (name, versions) in allowed {
      guard let found = sandbox.published(name) else { continue }
      #expect(versions.contains(found), "\(name) has \(found.count) wrong bytes after \(when)")
    }
    #expect(sandbox.published("mine") == mine, "\(when)")
  }

  func finish(_ when: String) throws {
    let right = allowed.filter { sandbox.published($0.key) == $0.value.last }.count
    let before = sandbox.origin.requests().count
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 3, "\(when): \(result)")
    #expect(document["summary"]["conflicts"].integer == 1, "\(when): \(result.output)")
    #expect(document["summary"]["failed"].integer == 0, "\(when): \(result.output)")
    check(when)
    for (name, versions) in allowed { #expect(sandbox.published(name) == versions.last, "\(name) after \(when)") }
    let names = (allowed.keys + ["mine"]).map { "work/out/" + $0 }.sorted()
    #expect(sandbox.folder.files(below: "work/out") == names, "\(when)")
    let asked = sandbox.origin.requests().count - before
    #expect(asked <= allowed.count - right, "\(asked) requests for \(allowed.count - right) files after \(when)")
    let (_, plan) = try sandbox.json("plan", manifest)
    #expect(plan["summary"]["reuse"].integer == allowed.count, "\(when)")
  }
}
