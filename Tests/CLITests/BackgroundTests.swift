import DLSyncTestSupport
import Glibc
import Testing

/// Queues that outlive the command, and what is run and said at an end.
@Suite struct BackgroundTests {
  private static let background = "{ mode: background, chunkSize: 64KiB }"

  @Test func applyHandsOverAndTheAgentFetches() throws {
    try withSandbox { sandbox in
      let bytes = payload(count: 400_000)
      sandbox.origin.serve("/a", .file(bytes).paced(bytesPerSecond: 400_000))
      let manifest = try sandbox.manifest(
        files: [("/a", "a")], queue: Self.background, each: ["headers: { X-Token: \"HDRSECRET\" }"])
      let (result, document) = try sandbox.json("apply", manifest)
      #expect(result.status == 0 && document["summary"]["handedOver"].integer == 1, "\(result)")
      #expect(sandbox.published("a") == nil)
      let waited = try sandbox.run("wait", "--all")
      #expect(waited.status == 0 && waited.output == "\(sandbox.out)/a\n", "\(waited)")
      #expect(sandbox.published("a") == bytes)
      #expect(sandbox.origin.requests("/a").last?.header("X-Token") == "HDRSECRET")
      #expect(try sandbox.json("plan", manifest).document["summary"]["reuse"].integer == 1)
      #expect(try sandbox.run("agent", "stop").status == 0)
      for file in sandbox.folder.files() where file != "work/manifest.yaml" {
        let bytes = try #require(sandbox.folder.read(file))
        #expect(bytes.firstRange(of: Array("HDRSECRET".utf8)) == nil, "\(file)")
      }
    }
  }

  @Test func whatWasRemovedIsNoWorkForTheAgent() throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/a", .silence)
      let manifest = try sandbox.manifest(files: [("/a", "a"), ("/a?2", "b")], queue: Self.background)
      #expect(try sandbox.run("apply", manifest, "--on-complete", "/bin/true").status == 0)
      #expect(sandbox.origin.wait { $0.liveRequests > 0 })
      #expect(try sandbox.run("agent", "stop").status == 0)
      #expect(try sandbox.run("remove", "a").status == 0)
      #expect(try sandbox.json("agent", "status").document["hasWork"].bool == true)
      #expect(try sandbox.run("remove", "--all").status == 0)
      #expect(try sandbox.json("agent", "status").document["hasWork"].bool == false)
      #expect(try sandbox.run("agent", "status").output.contains("nothing is left for it"))
    }
  }

  @Test func whatIsHandedOverWhileTheAgentRunsIsTakenIn() throws {
    try withSandbox { sandbox in
      let bytes = payload(count: 900_000)
      sandbox.origin.serve("/slow", .file(bytes).paced(bytesPerSecond: 300_000))
      sandbox.origin.serve("/more", .file(bytes))
      let one = try sandbox.manifest(files: [("/slow", "slow")], queue: Self.background)
      #expect(try sandbox.run("apply", one).status == 0)
      #expect(sandbox.origin.wait { $0.liveRequests > 0 })
      let both = try sandbox.manifest(files: [("/slow", "slow"), ("/more", "more")], queue: Self.background)
      #expect(try sandbox.run("apply", both).status == 0)
      #expect(try sandbox.run("wait", "more").status == 0)
      #expect(sandbox.published("slow") == nil, "the slow one still runs")
      #expect(try sandbox.run("wait", "--all").status == 0)
      #expect(sandbox.published("slow") == bytes && sandbox.published("more") == bytes)
      #expect(sandbox.origin.requests("/slow").count == 1)
    }
  }

  @Test func aKilledAgentIsFollowedByAnotherThatGoesOn() throws {
    try withSandbox { sandbox in
      let bytes = payload(count: 4_000_000)
      sandbox.origin.serve("/a", [.file(bytes).paced(bytesPerSecond: 1_500_000), .file(bytes)])
      #expect(try sandbox.run("apply", try sandbox.manifest(files: [("/a", "a")], queue: Self.background)).status == 0)
      #expect(sandbox.origin.wait(.seconds(20)) { $0.bodyBytesSent > 3_000_000 })
      let process = try #require(try agent(sandbox))
      kill(process, SIGKILL)
      #expect(try sandbox.run("wait", "--all").status == 0)
      #expect(sandbox.published("a") == bytes)
      #expect(sandbox.origin.requests("/a").last?.header("Range") != nil)
      #expect(try agent(sandbox) != process)
    }
  }

  @Test func aStoppedAgentStaysStoppedUntilItIsWanted() throws {
    try withSandbox { sandbox in
      sandbox.origin.serve(
        "/a", [.file(payload(count: 400_000)).paced(bytesPerSecond: 50_000), .file(payload(count: 400_000))])
      #expect(try sandbox.run("apply", try sandbox.manifest(files: [("/a", "a")], queue: Self.background)).status == 0)
      #expect(sandbox.origin.wait { $0.bodyBytesSent > 0 })
      #expect(try sandbox.run("agent", "stop").status == 0)
      #expect(try sandbox.run("status").status == 0)
      #expect(try agent(sandbox) == nil)
      let waited = try sandbox.run("wait", "--all")
      #expect(waited.status == 1 && waited.errors.contains("nothing runs it"), "\(waited)")
      #expect(try sandbox.run("agent", "start").status == 0)
      #expect(try sandbox.run("wait", "--all").status == 0)
    }
  }

  @Test(arguments: [["--wait"], ["--foreground"]]) func aCommandCanTakeTheResultAsItsOwn(_ options: [String]) throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/a", .file(payload(count: 100_000)))
      let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone", "b")], queue: Self.background)
      let result = try sandbox.runner.run(sandbox.runner.launch(["apply", manifest, "--format", "json"] + options))
      let document = try JSONValue(result.output)
      #expect(result.status == 1, "\(result)")
      #expect(document["files"].array?.map { $0["state"].string } == ["completed", "failed"])
      #expect(document["summary"]["downloaded"].integer == 1 && document["summary"]["failed"].integer == 1)
      #expect((try agent(sandbox) == nil) == (options == ["--foreground"]))
    }
  }

  @Test func theCommandAtTheEndGetsTheReportOnce() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/gone", "b")])
    let script = try sandbox.folder.write(
      "#!/bin/sh\ncat >> \"$1\"; echo \"$DLSYNC_EXIT_STATUS $DLSYNC_DOWNLOADED $DLSYNC_FAILED\" >> \"$2\"\n",
      to: "hook.sh")
    chmod(script, 0o755)
    let folder = sandbox.folder("my output")
    mkdir(folder, 0o755)
    let result = try sandbox.run(
      "apply", manifest, "--on-complete", "\(script) '\(folder)/report' \"\(folder)/sums\"")
    #expect(result.status == 1, "\(result)")
    #expect(sandbox.folder.read("my output/sums") == Array("1 1 1\n".utf8))
    let report = String(decoding: sandbox.folder.read("my output/report") ?? [], as: UTF8.self)
    #expect(try JSONValue(report)["exitStatus"].integer == 1)
    let bad = try sandbox.run("apply", manifest, environment: ["DLSYNC_ON_COMPLETE": "/nowhere/at/all"])
    #expect(bad.status == 1 && bad.errors.contains("could not be started"), "\(bad)")
    #expect(try sandbox.run("apply", manifest, "--on-complete", "'open").status == 2)
  }

  @Test func theCommandsFailureIsToldWhereEndsOfProgramsAreIgnored() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    var launch = sandbox.runner.launch(["apply", manifest, "--on-complete", "false"])
    launch.arguments = ["--ignore-signal=CHLD", launch.executable] + launch.arguments
    launch.executable = "/usr/bin/env"
    let result = try sandbox.runner.run(launch)
    #expect(result.errors.contains("ended with status 1"), "\(result)")
  }

  @Test func theAgentRunsTheCommandWhenTheQueueHasEnded() throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/a", .file(payload(count: 10)))
      let script = try sandbox.folder.write("#!/bin/sh\ncat > \"$1.new\"; mv \"$1.new\" \"$1\"\n", to: "hook.sh")
      chmod(script, 0o755)
      let place = sandbox.folder("report")
      let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.background)
      #expect(try sandbox.run("apply", manifest, "--on-complete", " ../hook.sh \(place)").status == 0)
      #expect(try sandbox.run("wait", "--all").status == 0)
      var report: [UInt8]?
      for _ in 0..<400 where report == nil {
        report = sandbox.folder.read("report")
        usleep(20_000)
      }
      let document = try JSONValue(String(decoding: try #require(report), as: UTF8.self))
      #expect(document["summary"]["downloaded"].integer == 1)
    }
  }

  @Test func theCommandThatAStopEndsIsRunAgainByTheNextAgent() throws {
    try withSandbox { sandbox in
      sandbox.origin.serve("/a", .file(payload(count: 10)))
      // The first time it does not come to its end.
      let script = try sandbox.folder.write(
        "#!/bin/sh\n[ -e \"$1\" ] || { touch \"$1\"; sleep 50; }\ncat > \"$2.new\"; mv \"$2.new\" \"$2\"\n",
        to: "hook.sh")
      chmod(script, 0o755)
      let (begun, report) = (sandbox.folder("begun"), sandbox.folder("report"))
      let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.background)
      #expect(try sandbox.run("apply", manifest, "--on-complete", "\(script) \(begun) \(report)").status == 0)
      #expect(until { sandbox.folder.holds("begun") })
      #expect(try sandbox.run("agent", "stop").status == 0)
      #expect(try sandbox.json("agent", "status").document["hasWork"].bool == true)
      #expect(!sandbox.folder.holds("report"))
      #expect(try sandbox.run("agent", "start").status == 0)
      #expect(until { sandbox.folder.holds("report") })
      let document = try JSONValue(String(decoding: try #require(sandbox.folder.read("report")), as: UTF8.self))
      #expect(document["summary"]["downloaded"].integer == 1)
      #expect(until { (try? sandbox.json("agent", "status").document["hasWork"].bool) == false })
    }
  }

  /// The agent is killed between the end of the work and the command: it stands in the hook of another queue.
  @Test(arguments: [1, 2]) func theCommandIsRunOnceAlsoWhenTheAgentWasKilled(kills: Int) throws {
    try withSandbox { sandbox in
      let names = (0..<3).map { "f\($0)" }
      for name in names {
        sandbox.origin.serve("/\(name)", .file(payload(count: 300_000)).paced(bytesPerSecond: 400_000))
      }
      let script = try sandbox.folder.write("#!/bin/sh\ncat >> \"$1\"\n", to: "hook.sh")
      chmod(script, 0o755)
      let manifest = try sandbox.manifest(files: names.map { ("/\($0)", $0) }, queue: Self.background)
      let place = sandbox.folder("reports")
      #expect(try sandbox.run("apply", manifest, "--on-complete", "\(script) \(place)").status == 0)
      #expect(sandbox.origin.wait { $0.bodyBytesSent > 300_000 })
      for _ in 0..<kills {
        if let process = try agent(sandbox) { kill(process, SIGKILL) }
        _ = try sandbox.run("status")
        usleep(300_000)
      }
      #expect(try sandbox.run("wait", "--all").status == 0)
      #expect(
        until {
          _ = try? sandbox.run("status")
          return sandbox.folder.holds("reports")
        })
      usleep(500_000)
      let reports = String(decoding: sandbox.folder.read("reports") ?? [], as: UTF8.self).split(separator: "\n")
      #expect(reports.count == 1, "\(reports)")
      let summary = try JSONValue(String(try #require(reports.first)))["summary"]
      #expect(summary["downloaded"].integer == 3 && summary["total"].integer == 3, "\(reports)")
    }
  }

  @Test func aBackgroundRefreshAsksAndCountsForWhatItBrings() throws {
    try withSandbox { sandbox in
      let (old, new) = (payload(count: 50_000, seed: 1), payload(count: 60_000, seed: 2))
      sandbox.origin.serve("/a", .file(old))
      let manifest = try sandbox.manifest(files: [("/a", "a")], queue: Self.background, each: ["refresh: always"])
      #expect(try sandbox.json("apply", manifest, "--wait").document["summary"]["downloaded"].integer == 1)
      let (same, unchanged) = try sandbox.json("apply", manifest, "--wait")
      #expect(same.status == 0 && unchanged["summary"]["reused"].integer == 1, "\(same)")
      #expect(unchanged["summary"]["downloaded"].integer == 0 && unchanged["summary"]["fetchedBytes"].integer == 0)
      #expect(sandbox.origin.requests("/a").last?.header("If-None-Match") != nil)
      sandbox.origin.serve("/a", .status(404))
      let (failed, failure) = try sandbox.json("apply", manifest, "--wait")
      #expect(failed.status == 1 && failure["files"][0]["error"]["code"].string == "httpStatus", "\(failed)")
      #expect(sandbox.published("a") == old)
      sandbox.origin.serve("/a", .file(new).changed { $0.entityTag = "\"v2\"" })
      let (renewed, changed) = try sandbox.json("apply", manifest, "--wait")
      #expect(renewed.status == 0 && changed["summary"]["downloaded"].integer == 1, "\(renewed)")
      #expect(sandbox.published("a") == new)
    }
  }

  @Test func aServiceManagerIsTold() throws {
    let sandbox = try Sandbox()
    let path = sandbox.folder("notify")
    let socket = try DatagramSocket(path)
    let result = try sandbox.run(
      "agent", "run", "--idle-exit", "1s", environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "600000"])
    #expect(result.status == 0, "\(result)")
    let messages = socket.messages()
    #expect(messages.first?.hasPrefix("READY=1\nSTATUS=") == true, "\(messages)")
    #expect(messages.contains("WATCHDOG=1") && messages.last == "STOPPING=1", "\(messages)")
  }

  @Test(.timeLimit(.minutes(2))) func aLongLookAtOneQueueHoldsNothingUp() throws {
    try withSandbox { sandbox in
      let (path, bytes) = (sandbox.folder("notify"), payload(count: 10_000))
      let socket = try DatagramSocket(path)
      for name in ["/a", "/z"] { sandbox.origin.serve(name, .file(bytes)) }
      mkdir(sandbox.out, 0o755)
      let file = open(sandbox.out + "/a", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      // A file in one hole: seconds of hashing, no space.
      #expect(ftruncate(file, 1 << 30) == 0)
      close(file)
      let manifest = try sandbox.folder.write(
        """
        version: 1
        baseURL: \(sandbox.origin.url("/"))
        root: \(sandbox.out)
        queues: { first: { mode: background }, second: { mode: background } }
        files:
        - { url: a, destination: a, queue: first, onConflict: replace, checksum: "sha256:\(try sandbox.sha256(bytes))" }
        - { url: z, destination: z, queue: second }
        """, to: "work/long.yaml")
      let handed = try sandbox.run(
        "apply", manifest, environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"])
      #expect(handed.status == 0, "\(handed)")
      #expect(sandbox.origin.wait(.seconds(30)) { _ in sandbox.published("z") == bytes })
      var status = stat()
      #expect(stat(sandbox.out + "/a", &status) == 0 && status.st_size == 1 << 30, "the other one is still looked at")
      #expect(sandbox.origin.wait(.seconds(60)) { _ in !sandbox.origin.requests("/a").isEmpty })
      #expect(socket.messages().filter { $0 == "WATCHDOG=1" }.count >= 2)
      #expect(try sandbox.run("wait", "--all").status == 0)
      #expect(sandbox.published("a") == bytes)
    }
  }

  @Test(.enabled(if: access("/usr/bin/systemd-analyze", X_OK) == 0, "needs systemd-analyze"))
  func unitsOfTheExamplesAreGood() throws {
    let sandbox = try Sandbox()
    var units: [String] = []
    for name in ["dlsync-agent.service", "dlsync-apply.service", "dlsync-apply.timer"] {
      let text = try Project.text("examples/systemd/\(name)").split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("Documentation=") }.joined(separator: "\n")
      let parts = text.split(separator: "/usr/local/bin/dlsync", omittingEmptySubsequences: false)
      units.append(try sandbox.folder.write(parts.joined(separator: "/bin/true"), to: "units/\(name)"))
    }
    let run = sandbox.folder("run")
    mkdir(run, 0o700)
    let environment = ["PATH": "/usr/bin:/bin", "HOME": sandbox.folder("home"), "XDG_RUNTIME_DIR": run]
    let launch = Launch("/usr/bin/systemd-analyze", ["--user", "verify"] + units, environment: environment)
    let result = try ChildProcess(launch).wait()
    #expect(result.status == 0 && result.errors == "", "\(result)")
  }
}

/// A socket that a service manager would listen on.
private final class DatagramSocket {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
  }

  deinit { close(descriptor) }

  /// What has come so far.
  func messages() -> [String] {
    var messages: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
      messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
    return messages
  }
}
