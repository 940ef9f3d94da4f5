import DLSyncModel
import DLSyncTestTransport
import DLSyncThreading
import DLSyncTransfer
import Testing

/// The transports that the contract holds for, each answering every request with the same head and body.
enum AnyTransport: String, CaseIterable, Sendable {
  case curl, scripted

  /// Runs the body with a transport, and the URL to ask it for.
  func with<Result>(
    _ head: ResponseHead, _ body: [UInt8], _ ending: ScriptedTransport.Answer.Ending = .orderly,
    _ use: (any Transport, String) async throws -> Result
  ) async throws -> Result {
    switch self {
    case .scripted:
      let transport = ScriptedTransport { _, _ in ScriptedTransport.Answer(head, body: body, ending: ending) }
      defer { transport.stop() }
      return try await use(transport, "http://scripted.test/a")
    case .curl:
      let lines = ["HTTP/1.1 \(head.statusCode) X"] + head.fields.map { "\($0.name): \($0.value)" } + ["", ""]
      let start = LoopbackServer.Step.send(Array(lines.joined(separator: "\r\n").utf8) + body)
      let end: [LoopbackServer.Step] =
        switch ending {
        case .lost: [.wait(milliseconds: 30), .reset]
        case .silence: [.hold]
        default: [.close]
        }
      let server = LoopbackServer { _ in [start] + end }
      let transport = CurlTransport()
      defer {
        transport.stop()
        server.stop()
      }
      return try await use(transport, server.base + "/a")
    }
  }
}

@Suite struct TransportContractTests {
  private let data = sample(100_000)
  private let fresh = head(
    200, ["Content-Length": "100000", "ETag": "\"v\"", "Accept-Ranges": "bytes", "Set-Cookie": "s"])

  @Test(arguments: AnyTransport.allCases) func completedTransferHasEveryByteInTheSink(_ kind: AnyTransport) async throws
  {
    let asked = Ask()
    let outcome = try await kind.with(fresh, data) { await $0.fetch(try asked.request($1)) }
    #expect(outcome.length == 100_000 && outcome.received == 100_000)
    #expect(asked.sink.holds(data))
    #expect(asked.meter.received.value == 100_000 && asked.meter.total.value == 100_000)
    #expect(outcome.response?.validator == .entityTag("\"v\"") && outcome.response?.acceptsRanges == true)
    #expect(outcome.response?.headers.contains { $0.name == "Set-Cookie" } == false)
  }

  @Test(arguments: AnyTransport.allCases) func rangeIsWrittenAtItsOffset(_ kind: AnyTransport) async throws {
    let part = head(206, ["Content-Range": "bytes 50000-99999/100000", "Content-Length": "50000", "ETag": "\"v\""])
    let asked = Ask(range: RangeRequest(lower: 50_000, upper: nil, validator: .entityTag("\"v\""), total: 100_000))
    let outcome = try await kind.with(part, Array(data[50_000...])) { await $0.fetch(try asked.request($1)) }
    #expect(outcome.length == 100_000 && outcome.received == 50_000 && outcome.response?.offset == 50_000)
    #expect(asked.sink.holds(Array(data[50_000...]), from: 50_000))
  }

  @Test(arguments: AnyTransport.allCases) func responseIsAnnouncedOnceBeforeItsFirstByte(_ kind: AnyTransport)
    async throws
  {
    let seen = Locked([Int64]())
    var asked = Ask()
    let sink = asked.sink
    asked.onResponse = { facts throws(DLSyncError) in
      let written = Int64(sink.bytes.count)
      seen.withLock { $0 += [facts.total ?? -1, written] }
    }
    let ready = asked
    _ = try await kind.with(fresh, data) { await $0.fetch(try ready.request($1)) }
    #expect(seen.withLock { $0 } == [100_000, 0])
  }

  @Test(arguments: AnyTransport.allCases) func rejectedResponseWritesNothing(_ kind: AnyTransport) async throws {
    let asked = Ask(onResponse: { _ throws(DLSyncError) in Issue.record("a rejected response was announced") })
    let busy = head(503, ["Content-Length": "5", "Retry-After": "3"])
    let outcome = try await kind.with(busy, Array(data[..<5])) { await $0.fetch(try asked.request($1)) }
    #expect(outcome.error?.details.statusCode == 503 && outcome.retryAfter?.length == .seconds(3))
    #expect(outcome.response?.statusCode == 503 && asked.sink.bytes.isEmpty)
  }

  @Test(arguments: AnyTransport.allCases) func lostConnectionKeepsWhatCame(_ kind: AnyTransport) async throws {
    let asked = Ask()
    let outcome = try await kind.with(fresh, Array(data[..<60_000]), .lost) { await $0.fetch(try asked.request($1)) }
    #expect(outcome.error?.code == .connectionLost)
    // A reset may overtake bytes that were sent before it.
    #expect(outcome.received <= 60_000)
    #expect(outcome.error?.message.contains("\(outcome.received) of 100000 bytes") == true)
    #expect(asked.sink.holds(Array(data[..<Int(outcome.received)])))
  }

  @Test(arguments: AnyTransport.allCases) func bodyWithoutLengthEndsOrderlyOnly(_ kind: AnyTransport) async throws {
    let open = head(200, [:])
    #expect(try await kind.with(open, data) { await $0.fetch(try Ask().request($1)) }.length == 100_000)
    #expect(
      try await kind.with(open, data, .lost) { await $0.fetch(try Ask().request($1)) }.error?.code == .connectionLost)
  }

  @Test(arguments: AnyTransport.allCases) func sinksAndCallersErrorsEndTheTransfer(_ kind: AnyTransport) async throws {
    let full = DLSyncError(.diskFull, "no space")
    let sink = Ask(sink: MemorySink(failure: full))
    #expect(try await kind.with(fresh, data) { await $0.fetch(try sink.request($1)) }.error == full)
    let caller = Ask(onResponse: { _ throws(DLSyncError) in throw full })
    #expect(try await kind.with(fresh, data) { await $0.fetch(try caller.request($1)) }.error == full)
    #expect(caller.sink.bytes.isEmpty)
  }

  @Test(arguments: AnyTransport.allCases) func cancelledTransferEndsAsCancelled(_ kind: AnyTransport) async throws {
    let asked = Ask()
    let end = try await kind.with(fresh, Array(data[..<20_000]), .silence) { transport, url in
      let request = try asked.request(url)
      async let outcome = transport.fetch(request)
      while asked.meter.received.value < 20_000 { await transport.executor.sleep(until: .now.advanced(by: 2_000_000)) }
      asked.cancel.cancel()
      return await outcome.end
    }
    guard case .cancelled = end else {
      Issue.record("ended as \(end)")
      return
    }
  }

  @Test(arguments: AnyTransport.allCases) func loweredEndCompletesTheTransfer(_ kind: AnyTransport) async throws {
    let meter = TransferMeter()
    let asked = Ask(meter: meter, onResponse: { _ throws(DLSyncError) in meter.end.set(30_000) })
    let outcome = try await kind.with(fresh, Array(data[..<40_000]), .silence) { await $0.fetch(try asked.request($1)) }
    #expect(outcome.length == 30_000)
    #expect(asked.sink.holds(Array(data[..<30_000])))
  }

  @Test(arguments: AnyTransport.allCases) func everythingHereAlreadyIsComplete(_ kind: AnyTransport) async throws {
    let none = head(416, ["Content-Range": "bytes */100000", "Content-Length": "0"])
    let asked = Ask(range: RangeRequest(lower: 100_000, upper: nil, validator: .entityTag("\"v\""), total: 100_000))
    #expect(try await kind.with(none, []) { await $0.fetch(try asked.request($1)) }.length == 100_000)
  }
}
