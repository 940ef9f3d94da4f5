import DLSyncTestSupport
import Glibc
import Testing

/// Ends that come in the middle of something: whatever a run waits for, and however rude the signal.
@Suite struct InterruptionTests {
  /// A run that has half of its file when the server falls silent, and gets the whole the next time.
  private struct World {
    let sandbox: Sandbox
    let manifest: String
    let bytes = payload(count: 400_000)

    init() throws {
      sandbox = try Sandbox()
      sandbox.origin.serve("/a", [.file(bytes).cut(after: 200_000, .silence), .file(bytes)])
      manifest = try sandbox.manifest(files: [("/a", "a")])
    }

    func start() throws -> ChildProcess {
      let process = try sandbox.runner.start("apply", manifest)
      #expect(sandbox.origin.wait { $0.bodyBytesSent >= 200_000 })
      return process
    }

    func expectCompletion() throws {
      #expect(sandbox.published("a") == nil)
      #expect(try sandbox.run("apply", manifest).status == 0)
      #expect(sandbox.published("a") == bytes && sandbox.leftovers == [])
    }
  }

  @Test func aSecondSignalEndsTheRunAtOnce() throws {
    let world = try World()
    let process = try world.start()
    process.send(SIGINT)
    process.send(SIGINT)
    let result = process.wait(.seconds(20))
    #expect(result.status == 130 || result.signal == SIGINT, "\(result)")
    #expect(!result.timedOut)
    try world.expectCompletion()
  }

  @Test(arguments: [SIGQUIT, SIGKILL, SIGABRT])
  func roughSignalsLeaveNothingUnderTheName(signal: Int32) throws {
    let world = try World()
    let process = try world.start()
    process.send(signal)
    _ = process.wait(.seconds(20))
    try world.expectCompletion()
  }

  /// The window was closed: what reads the terminal is gone, and SIGHUP came.
  @Test func aClosedTerminalEndsTheRunResumably() throws {
    let world = try World()
    let script = """
      import os, pty, sys, time
      child, terminal = pty.fork()
      if child == 0: os.execv(sys.argv[1], sys.argv[1:])
      time.sleep(1.5)
      os.close(terminal)
      for _ in range(100):
          if os.waitpid(child, os.WNOHANG)[0]: sys.exit(0)
          time.sleep(0.05)
      sys.exit(9)
      """
    var launch = world.sandbox.runner.launch([])
    launch.executable = "/usr/bin/env"
    launch.arguments = ["python3", "-c", script, world.sandbox.runner.binary, "apply", world.manifest]
    launch.environment["PATH"] = getenv("PATH").map { String(cString: $0) }
    let result = try world.sandbox.runner.run(launch)
    #expect(result.status == 0, "\(result)")
    try world.expectCompletion()
  }

  enum Wait: CaseIterable { case forRetry, forAnswer, forConnection }

  /// Nothing travels: the run waits for its next attempt, for an answer, or for a connection that nobody takes.
  @Test(arguments: Wait.allCases) func waitsAreEndedToo(wait: Wait) throws {
    let sandbox = try Sandbox()
    let backlog = wait == .forConnection ? try FullBacklog() : nil
    switch wait {
    case .forRetry: sandbox.origin.serve("/a", Script.status(503).with("Retry-After", "30"))
    case .forAnswer, .forConnection: sandbox.origin.serve("/a", .silence)
    }
    let url = backlog.map { "http://127.0.0.1:\($0.port)/a" } ?? sandbox.origin.url("/a")
    let manifest = try sandbox.manifest("version: 1\nroot: out\nfiles: [{ url: \"\(url)\", destination: a }]\n")
    let process = try sandbox.runner.start("apply", manifest)
    if backlog == nil { #expect(sandbox.origin.wait { _ in !sandbox.origin.requests().isEmpty }) }
    usleep(500_000)
    #expect(process.isRunning)
    process.send(SIGTERM)
    let sent = ContinuousClock.now
    let result = process.wait(.seconds(20))
    #expect(result.status == 143 && ContinuousClock.now - sent < .seconds(5), "\(result)")
  }

  /// Hours may lie between SIGSTOP and SIGCONT: a time in which nobody looked is not the server's silence.
  @Test func timeThatTheProcessWasStoppedIsNobodysSilence() throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 1000)
    // The answer begins half a second after the process goes on.
    sandbox.origin.serve("/a", .file(bytes).delayed(.milliseconds(3500)))
    let queue = "{ timeouts: { request: 1s }, retry: { maxAttempts: 1 } }"
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: queue)
    let process = try sandbox.runner.start("apply", manifest)
    #expect(sandbox.origin.wait { _ in !sandbox.origin.requests("/a").isEmpty })
    process.send(SIGSTOP)
    usleep(3_000_000)
    process.send(SIGCONT)
    let result = process.wait(.seconds(60))
    #expect(result.status == 0, "\(result)")
    #expect(sandbox.published("a") == bytes)
  }
}

/// A listening socket whose queue of connections is full: who connects gets no answer.
private final class FullBacklog {
  let port: UInt16
  private var descriptors: [Int32] = []

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 0) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    descriptors.append(listener)
    try #require(isListening)
    for _ in 0..<4 {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      descriptors.append(client)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
      }
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
