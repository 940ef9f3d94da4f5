import DLSyncModel
import DLSyncThreading
import DLSyncTransfer
import Testing

/// Answers that are hardly HTTP, or that belong to somebody else.
@Suite struct CurlOddAnswerTests {
  private let data = sample(5000)

  @Test func protocolThatNobodyAskedForIsAProtocolError() async throws {
    let server = LoopbackServer { _ in
      [.text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nxyz"), .close]
    }
    defer { server.stop() }
    let error = try await fetch(server.base + "/a").error
    #expect(error?.code == .protocolError && error?.isRetryable == false, "\(error!)")
  }

  @Test(arguments: ["0x5\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\nHTTP/1.1 500 No\r\n\r\n"])
  func chunksThatCannotBeReadAreAProtocolError(_ body: String) async throws {
    let server = LoopbackServer { _ in [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"), .close] }
    defer { server.stop() }
    let error = try await fetch(server.base + "/a").error
    #expect(error?.code == .protocolError, "\(error!)")
  }

  /// What a server sends behind a body, when that is thought to be over, is not the next file's answer.
  @Test(arguments: ["\r\n", "late bytes"]) func whatAnAnswerLeavesBehindIsNotTheNextOnes(_ late: String) async throws {
    let server = LoopbackServer { [data] _ in [reply(body: data), .wait(milliseconds: 30), .text(late)] }
    defer { server.stop() }
    let transport = CurlTransport()
    defer { transport.stop() }
    let settings = TransferSettings(QueueConfiguration(), userAgent: "t", environment: [:])
    for number in 0..<4 {
      let asked = Ask()
      let outcome = await transport.fetch(try asked.request(server.base + "/\(number)", settings: settings))
      #expect(outcome.length == 5000 && asked.sink.holds(data), "file \(number): \(outcome.end)")
    }
  }

  @Test func answerThatCameBeforeItsRequestIsNotTheNextOnes() async throws {
    let server = LoopbackServer { [data] _ in
      [reply(body: data), .wait(milliseconds: 20), reply(body: Array(data.reversed()))]
    }
    defer { server.stop() }
    let transport = CurlTransport()
    defer { transport.stop() }
    let settings = TransferSettings(QueueConfiguration(), userAgent: "t", environment: [:])
    for number in 0..<3 {
      let asked = Ask()
      let outcome = await transport.fetch(try asked.request(server.base + "/\(number)", settings: settings))
      #expect(outcome.length == 5000 && asked.sink.holds(data), "file \(number): \(outcome.end)")
      // Long enough for the late answer on a machine that is busy.
      try await Task.sleep(for: .milliseconds(600))
    }
    #expect(server.connectionCount == 3)
  }

  @Test func answerThatIsNoHTTPOnANewConnectionIsAskedForOnce() async throws {
    let server = LoopbackServer { _ in [.text("late bytes"), .close] }
    defer { server.stop() }
    #expect(try await fetch(server.base + "/a").error?.code == .protocolError)
    #expect(server.requests.count == 1)
  }

  @Test func hostThatWantsToBeLeftAloneIsNotAskedByWayOfARedirect() async throws {
    let busy = LoopbackServer { _ in [reply()] }
    let server = LoopbackServer { _ in [reply("302 There", ["Location: http://localhost:\(busy.port)/b"])] }
    defer {
      busy.stop()
      server.stop()
    }
    let pause = HostPause(host: "localhost", length: .seconds(3), statusCode: 503)
    let asked = Ask(remainingPause: { $0 == "localhost" ? pause : nil })
    let outcome = try await fetch(server.base + "/a", asked)
    #expect(outcome.retryAfter == pause && outcome.error?.details.isPostponed == true)
    #expect(outcome.error?.isRetryable == true && outcome.error?.details.statusCode == 503)
    #expect(busy.requests.isEmpty && server.requests.count == 1)
  }
}
