import DLSyncModel
import DLSyncThreading
import DLSyncTransfer
import Testing

@Suite struct CurlTimeTests {
  private func impatient() -> QueueConfiguration {
    var configuration = QueueConfiguration()
    configuration.timeouts.request = .milliseconds(300)
    return configuration
  }

  @Test func silenceEndsTheTransfer() async throws {
    for steps in [
      [LoopbackServer.Step.hold], [reply(body: sample(1000), length: 5000), .hold],
      [.text("HTTP/1.1 200 OK\r\nConte"), .hold],
    ] {
      let server = LoopbackServer { _ in steps }
      defer { server.stop() }
      let start = MonotonicInstant.now
      let outcome = try await fetch(server.base + "/a", Ask(configuration: impatient()))
      #expect(outcome.error?.code == .timedOut)
      #expect(MonotonicInstant.now.seconds(since: start) >= 0.29)
    }
  }

  /// What a server with Nagle's algorithm sends last.
  enum Rest: CaseIterable {
    case bodyAfterHead, endAfterTheOthers

    func steps(_ body: [UInt8]) -> [LoopbackServer.Step] {
      switch self {
      case .bodyAfterHead: [reply(length: body.count), .send(body)]
      case .endAfterTheOthers:
        [
          reply(body: Array(body[..<16_000]), length: body.count), .wait(milliseconds: 3),
          .send(Array(body[16_000..<32_000])), .send(Array(body[32_000...])),
        ]
      }
    }
  }

  /// It waits for an acknowledgement of what came before, which the system gives 40 ms late.
  @Test(arguments: Rest.allCases) func whatAServerHoldsBackComesAtOnce(rest: Rest) async throws {
    let body = sample(33_000)
    let server = LoopbackServer { _ in rest.steps(body) }
    defer { server.stop() }
    let transport = CurlTransport()
    defer { transport.stop() }
    var times: [Double] = []
    // The first segments of a connection are acknowledged at once anyway.
    for _ in 0..<30 {
      let start = MonotonicInstant.now
      let ask = Ask()
      _ = try await transport.fetch(ask.request(server.base + "/a"))
      #expect(ask.sink.holds(body))
      times.append(MonotonicInstant.now.seconds(since: start))
    }
    #expect(times.suffix(15).min() ?? 1 < 0.035, "\(times)")
  }

  @Test func deadlineEndsEvenATransferThatMoves() async throws {
    let drip = (0..<100).flatMap { _ in [LoopbackServer.Step.send([1]), .wait(milliseconds: 20)] }
    let server = LoopbackServer { _ in [reply(length: 300_000)] + drip }
    defer { server.stop() }
    let outcome = try await fetch(
      server.base + "/a", Ask(configuration: impatient(), deadline: .now.advanced(by: 400_000_000)))
    #expect(outcome.error?.code == .resourceTimeout)
    #expect(outcome.received > 0)
  }

  @Test func handshakeThatIsNeverAnsweredTimesOut() async throws {
    let server = LoopbackServer { _ in [.hold] }
    defer { server.stop() }
    var configuration = QueueConfiguration()
    configuration.timeouts.connect = .milliseconds(300)
    let error = try await fetch("https://127.0.0.1:\(server.port)/a", Ask(configuration: configuration)).error
    #expect(error?.code == .timedOut)
  }

  @Test func refusedPortIsAFailureToConnect() async throws {
    let server = LoopbackServer { _ in [.close] }
    let transport = CurlTransport()
    defer { transport.stop() }
    server.stop()
    var error: DLSyncError?
    // The listening socket closes a moment after it was told to.
    for _ in 0..<100 where error?.code != .connectFailed {
      error = await transport.fetch(try Ask().request(server.base + "/a")).error
    }
    #expect(error?.code == .connectFailed && error?.isRetryable == true)
  }

  @Test func cancelledTokenEndsTheTransferSoon() async throws {
    let server = LoopbackServer { _ in [reply(body: sample(1000), length: 5000), .hold] }
    defer { server.stop() }
    let transport = CurlTransport()
    defer { transport.stop() }
    let asked = Ask()
    let request = try asked.request(server.base + "/a")
    async let outcome = transport.fetch(request)
    while asked.meter.received.value < 1000 { await transport.executor.sleep(until: .now.advanced(by: 5_000_000)) }
    asked.cancel.cancel()
    guard case .cancelled = await outcome.end else {
      Issue.record("not cancelled")
      return
    }
    #expect(asked.sink.holds(sample(1000)))
  }

  @Test func cancellationOvertakesTheStart() async throws {
    let server = LoopbackServer { _ in [.hold] }
    defer { server.stop() }
    let asked = Ask()
    asked.cancel.cancel()
    guard case .cancelled = try await fetch(server.base + "/a", asked).end else {
      Issue.record("not cancelled")
      return
    }
    #expect(server.requests.isEmpty)
  }

  @Test func cancelledTaskAndStoppedTransportEndTransfers() async throws {
    let server = LoopbackServer { _ in [.hold] }
    defer { server.stop() }
    let transport = CurlTransport()
    let requests = [try Ask().request(server.base + "/a"), try Ask().request(server.base + "/b")]
    let first = Task { await transport.fetch(requests[0]) }
    let second = Task { await transport.fetch(requests[1]) }
    while server.requests.count < 2 { await transport.executor.sleep(until: .now.advanced(by: 5_000_000)) }
    first.cancel()
    guard case .cancelled = await first.value.end else {
      Issue.record("the cancelled task's transfer went on")
      return
    }
    transport.stop()
    guard case .cancelled = await second.value.end else {
      Issue.record("the stopped transport's transfer went on")
      return
    }
  }

  @Test func connectionsToOneHostAreBounded() async throws {
    let open = Locked((now: 0, most: 0))
    let server = LoopbackServer { _ in
      open.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      usleepOneTick()
      open.withLock { $0.now -= 1 }
      return [reply(body: sample(10))]
    }
    defer { server.stop() }
    var configuration = QueueConfiguration()
    configuration.connectionsPerHost = 2
    let settings = TransferSettings(configuration, userAgent: "t", environment: [:])
    let transport = CurlTransport()
    defer { transport.stop() }
    let requests = try (0..<20).map { try Ask().request("\(server.base)/\($0)", settings: settings) }
    await withTaskGroup(of: Int64?.self) { group in
      for request in requests { group.addTask { await transport.fetch(request).length } }
      for await length in group { #expect(length == 10) }
    }
    #expect(open.withLock { $0.most } <= 2)
    #expect(server.connectionCount <= 2)
  }
}

/// Real time, so only lower bounds are sharp: a busy machine may add seconds. `TokenBucketTests` hold the average on a
/// clock of their own.
@Suite(.serialized) struct CurlRateTests {
  private let bearable = 15.0

  /// Fetches all the paths at once and tells the seconds that it took and when each was done.
  private func run(_ server: LoopbackServer, _ count: Int, _ limits: [RateLimit]) async throws -> (
    seconds: Double, ends: [Double]
  ) {
    let transport = CurlTransport()
    defer { transport.stop() }
    let requests = try (0..<count).map { try Ask(rateLimits: limits).request("\(server.base)/\($0)") }
    let start = MonotonicInstant.now
    let ends = await withTaskGroup(of: Double.self) { group in
      for request in requests {
        group.addTask {
          let outcome = await transport.fetch(request)
          #expect(outcome.length != nil, "\(outcome.end)")
          return MonotonicInstant.now.seconds(since: start)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return (ends.max() ?? 0, ends)
  }

  @Test(arguments: [1, 4]) func averageIsTheRateForAnyNumberOfConnections(_ count: Int) async throws {
    let body = sample(1_000_000 / count)
    let server = LoopbackServer { _ in [reply(body: body)] }
    defer { server.stop() }
    let (seconds, ends) = try await run(server, count, [RateLimit(bytesPerSecond: ByteCount(1_000_000))])
    #expect(seconds > 0.9 && seconds < bearable, "\(seconds) s")
    #expect((ends.min() ?? 0) > 0.6, "shares differ: \(ends)")
  }

  @Test func smallFilesAreHeldToTheRateTogether() async throws {
    let server = LoopbackServer { _ in [reply(body: sample(10_000))] }
    defer { server.stop() }
    let (seconds, _) = try await run(server, 20, [RateLimit(bytesPerSecond: ByteCount(200_000))])
    #expect(seconds > 0.8 && seconds < bearable, "\(seconds) s")
  }

  @Test func strictestOfSeveralLimitsCounts() async throws {
    let server = LoopbackServer { _ in [reply(body: sample(200_000))] }
    defer { server.stop() }
    let limits = [RateLimit(bytesPerSecond: ByteCount(10_000_000)), RateLimit(bytesPerSecond: ByteCount(400_000))]
    let (seconds, _) = try await run(server, 1, limits)
    #expect(seconds > 0.4 && seconds < bearable, "\(seconds) s")
  }

  @Test func raisedRateIsFollowedWhileTheTransferRuns() async throws {
    let server = LoopbackServer { _ in [reply(body: sample(1_000_000))] }
    defer { server.stop() }
    let limit = RateLimit(bytesPerSecond: ByteCount(1000))
    let transport = CurlTransport()
    defer { transport.stop() }
    let asked = Ask(rateLimits: [limit])
    let request = try asked.request(server.base + "/a")
    async let outcome = transport.fetch(request)
    while server.requests.isEmpty { await transport.executor.sleep(until: .now.advanced(by: 5_000_000)) }
    limit.setRate(nil)
    #expect(await outcome.length == 1_000_000)
  }

  @Test func heldBackTransferIsNotSilent() async throws {
    let server = LoopbackServer { _ in [reply(body: sample(60_000))] }
    defer { server.stop() }
    var configuration = QueueConfiguration()
    configuration.timeouts.request = .milliseconds(100)
    let limit = RateLimit(bytesPerSecond: ByteCount(100_000))
    #expect(
      try await fetch(server.base + "/a", Ask(configuration: configuration, rateLimits: [limit])).length == 60_000)
  }
}
