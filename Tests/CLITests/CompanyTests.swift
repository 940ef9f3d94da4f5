import DLSyncTestSupport
import Glibc
import Testing

/// Several processes at once, on one state or on several.
@Suite struct CompanyTests {
  private func inode(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  @Test func tenAppliesAtOnceAreOneAndNineThatAreToldSo() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 600_000)
    sandbox.origin.serve("/a", .file(bytes).paced(bytesPerSecond: 600_000))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let processes = try (0..<10).map { _ in try sandbox.runner.start("apply", manifest) }
    let results = processes.map { $0.wait(.seconds(60)) }
    #expect(results.allSatisfy { [0, 4].contains($0.status) }, "\(results.map(\.status))")
    #expect(results.contains { $0.status == 0 })
    for result in results where result.status == 4 {
      #expect(processes.contains { result.errors.contains("process \($0.processID)") }, "\(result)")
    }
    #expect(sandbox.published("a") == bytes && sandbox.leftovers == [])
    let published = inode(sandbox.out + "/a")
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(inode(sandbox.out + "/a") == published)
  }

  @Test func planIsNotBlockedByARunningApply() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .silence)
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let process = try sandbox.runner.start("apply", manifest)
    defer { process.kill() }
    #expect(sandbox.origin.wait { $0.liveRequests == 1 })
    let result = try sandbox.run("plan", manifest)
    #expect(result.status == 0 && result.seconds < 5, "\(result)")
  }

  @Test func queuesOfOneManifestRunInTwoProcesses() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b"] {
      sandbox.origin.serve("/\(name)", .file(payload(count: 400_000)).paced(bytesPerSecond: 300_000))
    }
    let text = """
      version: 1
      root: out
      queues: { one: {}, two: {} }
      files:
        - { url: "\(sandbox.origin.url("/a"))", destination: a, queue: one }
        - { url: "\(sandbox.origin.url("/b"))", destination: b, queue: two }
      """
    let manifest = try sandbox.manifest(text)
    let first = try sandbox.runner.start("apply", manifest, "--queue", "one")
    let second = try sandbox.runner.start("apply", manifest, "--queue", "two")
    #expect(sandbox.origin.wait { $0.liveRequests == 2 })
    #expect(first.wait(.seconds(30)).status == 0 && second.wait(.seconds(30)).status == 0)
    #expect(sandbox.published("a") != nil && sandbox.published("b") != nil)
  }

  /// Whoever comes first, the file is one of the two, whole, and who was too late is told so.
  @Test func twoStatesWithOneDestinationNeverMixTwoVersions() throws {
    let sandbox = try Sandbox()
    let versions = [payload(count: 700_000, seed: 1), payload(count: 700_000, seed: 2)]
    for (number, bytes) in versions.enumerated() {
      sandbox.origin.serve("/\(number)", .file(bytes).paced(bytesPerSecond: 700_000))
    }
    let processes = try versions.indices.map { number in
      let text = "version: 1\nroot: out\nfiles: [{ url: \"\(sandbox.origin.url("/\(number)"))\", destination: a }]\n"
      let manifest = try sandbox.manifest(text, name: "m\(number).yaml")
      return try sandbox.runner.start("apply", manifest, "--state", sandbox.folder("state\(number)"))
    }
    let results = processes.map { $0.wait(.seconds(60)) }
    #expect(results.map(\.status).sorted() == [0, 3], "\(results)")
    let winner = try #require(results.firstIndex { $0.status == 0 })
    #expect(sandbox.published("a") == versions[winner] && sandbox.leftovers == [])
  }

  @Test func aStatePathThatIsAFileIsRefusedAndStays() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let path = try sandbox.folder.write("mine", to: "state")
    let result = try sandbox.run("apply", manifest, "--state", path)
    #expect(result.status == 4 && result.errors.contains(path), "\(result)")
    #expect(sandbox.folder.read("state") == Array("mine".utf8) && sandbox.origin.requests().isEmpty)
  }

  /// strace answers the lock's calls in place of the kernel, as a file system does that grants every lock.
  @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "needs strace"))
  func aStateWhereLocksDoNotHoldIsRefused() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone", "b")])
    #expect(try sandbox.run("apply", manifest).status == 1)
    let run = "home/.local/state/dlsync/run"
    let lock = try #require(sandbox.folder.files(below: run).first { $0.hasSuffix(".lock") })
    var launch = sandbox.runner.launch([])
    launch.executable = "/usr/bin/strace"
    launch.arguments =
      [
        "-f", "-o", "/dev/null", "-P", sandbox.folder(lock), "-e", "inject=fcntl:retval=0", sandbox.runner.binary,
        "apply", manifest,
      ]
    let before = sandbox.origin.requests().count
    let refused = try sandbox.runner.run(launch)
    #expect(refused.status == 4 && refused.errors.contains("locks do not hold"), "\(refused)")
    #expect(refused.errors.contains("dlsync doctor") && sandbox.origin.requests().count == before)
    launch.arguments =
      ["-f", "-o", "/dev/null", "-e", "inject=flock:retval=0", sandbox.runner.binary, "doctor"]
    let doctor = try sandbox.runner.run(launch)
    #expect(doctor.status == 1 && doctor.output.contains("locks do not hold"), "\(doctor)")
    #expect(try sandbox.run("apply", manifest).status == 1, "here they hold")
  }
}
