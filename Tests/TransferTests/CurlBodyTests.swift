import DLSyncModel
import DLSyncThreading
import DLSyncTransfer
import Testing

@Suite struct CurlBodyTests {
  private let data = sample(300_000)

  /// One transfer from a server that always answers so.
  private func ask(_ steps: [LoopbackServer.Step], _ ask: Ask = Ask(), path: String = "/a.bin") async throws
    -> (outcome: TransferOutcome, server: LoopbackServer)
  {
    let server = LoopbackServer { _ in steps }
    defer { server.stop() }
    return (try await fetch(server.base + path, ask), server)
  }

  private func chunked(_ bytes: [UInt8], end: String = "0\r\n\r\n", fields: [String] = []) -> LoopbackServer.Step {
    var out = Array(
      (["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
    for start in stride(from: 0, to: bytes.count, by: 65_536) {
      let piece = bytes[start..<min(bytes.count, start + 65_536)]
      out += Array(String(piece.count, radix: 16).utf8) + [13, 10] + piece + [13, 10]
    }
    return .send(out + Array(end.utf8))
  }

  private func withoutLength(_ bytes: [UInt8]) -> LoopbackServer.Step {
    .send(Array("HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n".utf8) + bytes)
  }

  @Test func headsThatAreTooLargeTogetherAreNoLostConnection() async throws {
    let field = "A: " + String(repeating: "x", count: 2000) + "\r\n"
    let many = String(repeating: "HTTP/1.1 103 Early\r\n\(field)\r\n", count: 200)
    let server = LoopbackServer { _ in [.text(many), .close] }
    defer { server.stop() }
    let error = try await fetch(server.base + "/a").error
    #expect(error?.code == .protocolError && error?.isRetryable == false, "\(error!)")
  }

  @Test(arguments: [0, 1, 4096, 32_768, 32_769, 262_144, 300_000, 1_000_000])
  func bodyArrivesExactlyWhateverItsLength(_ count: Int) async throws {
    let bytes = sample(count)
    let asked = Ask()
    let outcome = try await ask([reply("200 OK", ["ETag: \"v\"", "Accept-Ranges: bytes"], body: bytes)], asked).outcome
    #expect(outcome.length == Int64(count))
    #expect(asked.sink.holds(bytes))
    #expect(outcome.received == Int64(count) && asked.meter.received.value == Int64(count))
    #expect(asked.meter.total.value == Int64(count))
    #expect(outcome.response?.validator == .entityTag("\"v\"") && outcome.response?.acceptsRanges == true)
  }

  @Test func bodiesWithoutLengthEndWithFramingOrConnection() async throws {
    for steps in [[chunked(data)], [chunked(data, fields: ["Content-Length: 77"])], [withoutLength(data), .close]] {
      let asked = Ask()
      let outcome = try await ask(steps, asked).outcome
      #expect(outcome.length == 300_000)
      #expect(asked.sink.holds(data))
      #expect(outcome.response?.total == nil)
    }
  }

  @Test func requestSaysWhatWeAreAndWhatWeTake() async throws {
    let asked = Ask(headers: [HeaderField("X-A", "1"), HeaderField("X-Empty", "")])
    let head = try await ask([reply()], asked, path: "/v[1-3]{x}/a%20b?d=1&&e=").server.requests[0]
    #expect(head.target == "/v[1-3]{x}/a%20b?d=1&&e=")
    #expect(head.value("Accept") == "*/*" && head.value("Accept-Encoding") == "identity")
    #expect(head.value("User-Agent") == "dlsync/test" && head.value("Range") == nil)
    #expect(head.value("X-A") == "1" && head.value("X-Empty") == "")
  }

  @Test func shortBodyIsALostConnectionThatNamesBothNumbers() async throws {
    let steps = [reply(body: Array(data[..<283_000]), length: 300_000), .close]
    let asked = Ask()
    let outcome = try await ask(steps, asked).outcome
    #expect(outcome.error?.code == .connectionLost)
    #expect(outcome.error?.message.contains("283000 of 300000 bytes") == true)
    #expect(outcome.error?.isRetryable == true)
    #expect(asked.sink.holds(Array(data[..<283_000])))
  }

  @Test func resetBodyIsALostConnectionThatKeepsWhatCame() async throws {
    // A reset may overtake bytes that were sent before it.
    let asked = Ask()
    let outcome = try await ask(
      [reply(body: Array(data[..<1000]), length: 300_000), .wait(milliseconds: 50), .reset], asked
    ).outcome
    #expect(outcome.error?.code == .connectionLost)
    #expect(asked.sink.holds(Array(data[..<Int(outcome.received)])))
  }

  @Test func cutChunkedOrResetBodyIsALostConnection() async throws {
    for steps in [[chunked(data, end: ""), .close], [withoutLength(data), .wait(milliseconds: 50), .reset]] {
      #expect(try await ask(steps).outcome.error?.code == .connectionLost)
    }
  }

  @Test func brokenChunkFramingIsAProtocolError() async throws {
    #expect(try await ask([chunked(data, end: "xyz\r\n"), .close]).outcome.error?.code == .protocolError)
  }

  @Test func bytesBehindTheLengthAreCutOff() async throws {
    let asked = Ask()
    let outcome = try await ask([reply(body: data, length: 1000)], asked).outcome
    #expect(outcome.length == 1000)
    #expect(asked.sink.holds(Array(data[..<1000])))
  }

  @Test func declaredSizeIsHeldAgainstBodiesWithoutLength() async throws {
    for (size, steps) in [
      (299_999, [withoutLength(data), .close]), (300_001, [withoutLength(data), .close]), (10, [chunked(data)]),
    ]
      as [(Int64, [LoopbackServer.Step])]
    {
      let error = try await ask(steps, Ask(declaredSize: ByteCount(size))).outcome.error
      #expect(error?.code == .sizeMismatch && error?.details.sizeMismatch?.declared == size)
    }
    #expect(
      try await ask([withoutLength(data), .close], Ask(declaredSize: ByteCount(300_000))).outcome.length == 300_000)
  }

  @Test func declaredSizeFailsBeforeTheBody() async throws {
    let outcome = try await ask([reply(body: data)], Ask(declaredSize: ByteCount(5))).outcome
    #expect(outcome.error?.code == .sizeMismatch)
    #expect(outcome.error?.details.sizeMismatch?.declared == 5)
    #expect(outcome.received == 0)
  }

  @Test func sinksErrorEndsTheTransfer() async throws {
    let full = DLSyncError(.diskFull, "no space")
    #expect(try await ask([reply(body: data)], Ask(sink: MemorySink(failure: full))).outcome.error == full)
    #expect(try await ask([reply(body: [1])], Ask(sink: MemorySink(failure: full))).outcome.error == full)
  }

  @Test func objectionToTheResponseEndsTheTransferBeforeItsFirstByte() async throws {
    let objection = DLSyncError(.diskFull, "no room")
    let asked = Ask(onResponse: { _ throws(DLSyncError) in throw objection })
    let outcome = try await ask([reply(body: data)], asked).outcome
    #expect(outcome.error == objection)
    #expect(asked.sink.bytes.isEmpty)
  }

  @Test func whatIsNoHTTPIsAProtocolError() async throws {
    #expect(
      try await ask([.send([0, 1] + Array("garbage\r\n\r\n".utf8)), .close]).outcome.error?.code == .protocolError)
    let endless = LoopbackServer.Step.text(
      "HTTP/1.1 200 OK\r\n" + String(repeating: "X: \(String(repeating: "a", count: 1000))\r\n", count: 400))
    #expect(try await ask([endless, .hold]).outcome.error?.code == .protocolError)
    #expect(
      try await ask([.text("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello"), .close]).outcome.error?.code
        == .protocolError)
  }

  @Test func connectionWithoutAnswerIsLost() async throws {
    #expect(try await ask([.close]).outcome.error?.code == .connectionLost)
    #expect(try await ask([.reset]).outcome.error?.code == .connectionLost)
  }

  @Test func informationalResponsesAreSkipped() async throws {
    let early = LoopbackServer.Step.text(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Length: 3\r\n\r\n")
    #expect(try await ask([early, reply(body: data)]).outcome.length == 300_000)
  }

  @Test func theHostThatAnsweredIsTheOneThatAsksForPeace() async throws {
    let busy = LoopbackServer { _ in [reply("429 Busy", ["Retry-After: 3"])] }
    let server = LoopbackServer { _ in [reply("302 There", ["Location: http://localhost:\(busy.port)/b"])] }
    defer {
      busy.stop()
      server.stop()
    }
    #expect(
      try await fetch(server.base + "/a").retryAfter
        == HostPause(host: "localhost", length: .seconds(3), statusCode: 429))
  }

  @Test func errorPageIsNotWrittenAndItsConnectionServesAgain() async throws {
    let server = LoopbackServer { [data] request in
      request.target == "/bad" ? [reply("503 Busy", ["Retry-After: 7"], body: sample(500))] : [reply(body: data)]
    }
    defer { server.stop() }
    let transport = CurlTransport()
    defer { transport.stop() }
    let settings = TransferSettings(QueueConfiguration(), userAgent: "t", environment: [:])
    let asked = Ask()
    let bad = await transport.fetch(try asked.request(server.base + "/bad", settings: settings))
    #expect(bad.error?.code == .httpStatus && bad.error?.details.statusCode == 503)
    #expect(bad.retryAfter == HostPause(host: "127.0.0.1", length: .seconds(7), statusCode: 503))
    #expect(bad.error?.details.retryAfter == 7)
    #expect(asked.sink.bytes.isEmpty)
    let good = await transport.fetch(try Ask().request(server.base + "/good", settings: settings))
    #expect(good.length == 300_000)
    #expect(server.connectionCount == 1)
  }

  @Test func endlessErrorPageIsNotRead() async throws {
    let page = LoopbackServer.Step.text("HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n")
    let flood = [LoopbackServer.Step](
      repeating: .text("10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"), count: 1000)
    let outcome = try await ask([page] + flood).outcome
    #expect(outcome.error?.details.statusCode == 404)
  }

  @Test func secretResponseFieldsAreLeftOutOfTheFacts() async throws {
    let outcome = try await ask([reply("200 OK", ["Set-Cookie: s=1", "X-Fine: 2"])]).outcome
    #expect(outcome.response?.headers.map(\.name) == ["X-Fine", "Content-Length"])
  }

  @Test func errorsHideCredentialsOfTheURL() async throws {
    let outcome = try await ask([reply("500 Oops")], path: "/a?X-Amz-Signature=SECRET&token=SECRET&part=1").outcome
    let error = try #require(outcome.error)
    #expect(!"\(error)".contains("SECRET") && error.message.contains("part=1"))
  }
}
