import DLSyncTestSupport
import Glibc
import Testing

/// Whatever a run is at when it is asked to stop: it ends soon, with the signal's status, and the next one completes.
@Suite struct SignalTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func oneSignalLeavesAResumableRun(signal: Int32) throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 400_000)
    sandbox.origin.serve("/a", [.file(bytes).cut(after: 200_000, .silence), .file(bytes)])
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let process = try sandbox.runner.start("apply", manifest, "--format", "json")
    #expect(sandbox.origin.wait { $0.bodyBytesSent >= 200_000 })
    process.send(signal)
    let result = process.wait(.seconds(20))
    #expect(result.status == 128 + signal && result.signal == nil, "\(result)")
    #expect(result.output.contains("\"exitStatus\":\(128 + signal)"))
    #expect(sandbox.published("a") == nil)
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(sandbox.published("a") == bytes && sandbox.leftovers == [])
  }

  /// Sparse, so that it costs no space; reading it takes seconds.
  @Test func readingForThePlanIsEndedToo() throws {
    let sandbox = try Sandbox()
    try sandbox.folder.write("", to: "work/out/a")
    #expect(truncate(sandbox.folder("work/out/a"), 64 << 30) == 0)
    let zeros = String(repeating: "0", count: 64)
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: ["checksum: sha256:\(zeros)"])
    let process = try sandbox.runner.start("apply", manifest, "--format", "json")
    usleep(500_000)
    process.send(SIGTERM)
    let result = process.wait(.seconds(20))
    #expect(result.status == 143 && !result.timedOut, "\(result)")
    #expect(result.output.contains("\"interrupted\""), "\(result)")
    #expect(sandbox.origin.requests().isEmpty)
  }

  /// Somebody has the other end of the pipe and reads nothing.
  @Test func aReaderThatReadsNothingKeepsNobodyFromEnding() throws {
    let sandbox = try Sandbox()
    let names = (0..<600).map { "\($0)-" + String(repeating: "n", count: 150) }
    sandbox.origin.serveOthers { _ in .file(payload(count: 10)) }
    let manifest = try sandbox.manifest(files: names.map { ("/\($0)", $0) })
    var launch = sandbox.runner.launch([
      "-c", "\"$0\" \"$@\" & p=$!; echo $p > pid; wait $p; echo $? > status", sandbox.runner.binary, "apply", manifest,
      "--format", "ndjson",
    ])
    launch.executable = "/bin/sh"
    let fifo = sandbox.folder("work/pipe")
    #expect(mkfifo(fifo, 0o600) == 0)
    let end = open(fifo, O_RDWR | O_CLOEXEC)
    defer { close(end) }
    launch.output = .file(fifo)
    let process = try ChildProcess(launch)
    #expect(until { sandbox.published(names[599]) != nil })
    usleep(300_000)
    let text = String(decoding: try #require(sandbox.folder.read("work/pid")), as: UTF8.self)
    kill(try #require(Int32(text.filter(\.isNumber))), SIGTERM)
    let result = process.wait(.seconds(5))
    #expect(!result.timedOut, "\(result)")
    #expect(sandbox.folder.read("work/status") == Array("143\n".utf8))
  }

  @Test func aStoppedProcessGoesOn() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 600_000)
    sandbox.origin.serve("/a", .file(bytes).paced(bytesPerSecond: 600_000))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let process = try sandbox.runner.start("apply", manifest)
    #expect(sandbox.origin.wait { $0.bodyBytesSent > 100_000 })
    process.send(SIGSTOP)
    let (running, status) = try sandbox.json("status")
    #expect(running.status == 0)
    #expect(status["queues"][0]["running"].integer == Int(process.processID), "\(running.output)")
    process.send(SIGCONT)
    #expect(process.wait(.seconds(60)).status == 0)
    #expect(sandbox.published("a") == bytes)
  }

  /// The numbers of streams that were closed must not become those of files: what is printed would end up in a download.
  @Test(arguments: ["<&- >&- 2>&-", "<&- >&-", ">&- 2>&-", "2>&-"])
  func closedStreamsSpoilNoFile(redirection: String) throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 100_000)
    sandbox.origin.serve("/a", .file(bytes))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    var launch = sandbox.runner.launch([])
    launch.executable = "/bin/sh"
    launch.arguments = ["-c", "exec \"$0\" apply \"$1\" --verbose \(redirection)", sandbox.runner.binary, manifest]
    let result = try sandbox.runner.run(launch)
    // Output that was wanted and is lost is a failure; files are what counts.
    #expect(result.status == (redirection.contains(">&- ") || redirection.hasSuffix("<&- >&-") ? 1 : 0), "\(result)")
    #expect(sandbox.published("a") == bytes && sandbox.leftovers == [])
  }
}
