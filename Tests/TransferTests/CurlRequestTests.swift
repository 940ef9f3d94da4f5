import DLSyncModel
import DLSyncTestSupport
import DLSyncThreading
import DLSyncTransfer
import Testing

@Suite struct CurlRangeTests {
  private let data = sample(300_000)

  private func ranged(_ fields: [String], _ body: ArraySlice<UInt8>, length: Int? = nil) -> LoopbackServer {
    LoopbackServer { _ in
      [
        reply("206 Partial Content", ["ETag: \"v\""] + fields, body: Array(body), length: length),
        .wait(milliseconds: 50),
      ]
    }
  }

  private func resume(_ lower: Int64, _ upper: Int64? = nil) -> RangeRequest {
    RangeRequest(lower: lower, upper: upper, validator: .entityTag("\"v\""), total: 300_000)
  }

  @Test func rangeIsAskedWithItsValidatorAndWrittenAtItsPlace() async throws {
    let server = ranged(["Content-Range: bytes 100000-199999/300000"], data[100_000..<200_000])
    defer { server.stop() }
    let asked = Ask(range: resume(100_000, 200_000))
    let outcome = try await fetch(server.base + "/a", asked)
    #expect(outcome.length == 200_000)
    #expect(outcome.received == 100_000 && outcome.response?.offset == 100_000)
    #expect(asked.sink.holds(Array(data[100_000..<200_000]), from: 100_000))
    #expect(server.requests[0].value("Range") == "bytes=100000-199999")
    #expect(server.requests[0].value("If-Range") == "\"v\"")
  }

  @Test func bytesBehindTheRangeAreNeverWritten() async throws {
    let server = ranged(["Content-Range: bytes 100000-199999/300000"], data[100_000..<250_000])
    defer { server.stop() }
    let asked = Ask(range: resume(100_000, 200_000))
    #expect(try await fetch(server.base + "/a", asked).length == 200_000)
    #expect(asked.sink.bytes.count == 200_000)
  }

  @Test func connectionServesAgainBehindARangeThatEndsWhereItShould() async throws {
    let origin = try Origin()
    let url = origin.serve("/a", .file(data, entityTag: "\"v\""))
    let transport = CurlTransport()
    defer { transport.stop() }
    for lower in [0, 100_000, 200_000] as [Int64] {
      let asked = Ask(range: resume(lower, lower + 100_000))
      asked.meter.end.set(lower + 100_000)
      #expect(await transport.fetch(try asked.request(url)).length == lower + 100_000)
    }
    #expect(origin.connectionCount == 1)
  }

  @Test func shortPartIsALostConnection() async throws {
    let server = ranged(["Content-Range: bytes 100000-299999/300000"], data[100_000..<299_000])
    defer { server.stop() }
    let error = try await fetch(server.base + "/a", Ask(range: resume(100_000))).error
    #expect(error?.code == .connectionLost && error?.message.contains("199000 of 200000 bytes") == true)
  }

  @Test func loweredEndIsASuccess() async throws {
    let server = LoopbackServer { [data] _ in [reply(body: Array(data[..<200_000]), length: 300_000), .hold] }
    defer { server.stop() }
    let transport = CurlTransport()
    defer { transport.stop() }
    let meter = TransferMeter()
    let asked = Ask(meter: meter, onResponse: { _ throws(DLSyncError) in meter.end.set(150_000) })
    #expect(await transport.fetch(try asked.request(server.base + "/a")).length == 150_000)
    #expect(asked.sink.holds(Array(data[..<150_000])))
  }

  @Test func endLoweredBelowWhatCameEndsTheTransferAtOnce() async throws {
    let server = LoopbackServer { [data] _ in [reply(body: Array(data[..<200_000]), length: 300_000), .hold] }
    defer { server.stop() }
    let transport = CurlTransport()
    defer { transport.stop() }
    let asked = Ask()
    let request = try asked.request(server.base + "/a")
    async let outcome = transport.fetch(request)
    while asked.meter.received.value < 200_000 { await transport.executor.sleep(until: .now.advanced(by: 5_000_000)) }
    asked.meter.end.set(100_000)
    #expect(await outcome.length == 100_000)
  }
}

@Suite struct CurlRedirectTests {
  private let secrets = [
    HeaderField("Authorization", "Bearer S1"), HeaderField("X-Token", "S2"), HeaderField("Cookie", "c=S3"),
  ]

  private func redirect(_ location: String, _ fields: [String] = []) -> LoopbackServer.Step {
    reply("302 Found", ["Location: \(location)"] + fields)
  }

  @Test func headersStayWithTheirOrigin() async throws {
    let other = LoopbackServer { _ in [reply(body: sample(10))] }
    let server = LoopbackServer { [redirect] request in
      switch request.target {
      case "/away": [redirect(other.base + "/t", [])]
      case "/near": [redirect("/t", [])]
      default: [reply(body: sample(10))]
      }
    }
    defer {
      server.stop()
      other.stop()
    }
    #expect(try await fetch(server.base + "/away", Ask(headers: secrets)).length == 10)
    #expect(server.requests[0].value("X-Token") == "S2" && server.requests[0].value("Cookie") == "c=S3")
    #expect(!other.requests[0].head.contains("S1") && !other.requests[0].head.contains("S2"))
    #expect(!other.requests[0].head.contains("Cookie"))
    let outcome = try await fetch(server.base + "/near", Ask(headers: secrets))
    #expect(outcome.response?.finalURL.text == server.base + "/t")
    #expect(server.requests.last?.value("Authorization") == "Bearer S1")
    #expect(try await fetch(server.base + "/x", Ask(headers: secrets, headerOrigin: other.base)).length == 10)
    #expect(server.requests.last?.value("X-Token") == nil)
  }

  @Test func headersDoNotComeBackFromAnotherOrigin() async throws {
    let home = Locked("")
    let other = LoopbackServer { [redirect] _ in [redirect(home.withLock { $0 } + "/back", [])] }
    let server = LoopbackServer { [redirect] request in
      request.target == "/a" ? [redirect(other.base + "/t", [])] : [reply(body: sample(10))]
    }
    defer {
      server.stop()
      other.stop()
    }
    home.withLock { $0 = server.base }
    #expect(try await fetch(server.base + "/a", Ask(headers: secrets)).length == 10)
    #expect(server.requests.last?.target == "/back" && server.requests.last?.value("X-Token") == nil)
  }

  @Test func cookiesOfARedirectComeBackWithinTheTransferOnly() async throws {
    let server = LoopbackServer { [redirect] request in
      request.value("Cookie")?.contains("k=v") == true
        ? [reply(body: sample(10))] : [redirect("/a", ["Set-Cookie: k=v; Path=/", "Set-Cookie: j=2"])]
    }
    defer { server.stop() }
    #expect(try await fetch(server.base + "/a", Ask(headers: [HeaderField("Cookie", "c=1")])).length == 10)
    #expect(server.requests[1].value("Cookie") == "c=1; k=v; j=2")
    #expect(try await fetch(server.base + "/a").length == 10)
    #expect(server.requests[2].value("Cookie") == nil)
  }

  @Test func elevenRedirectsAreTooMany() async throws {
    let server = LoopbackServer { [redirect] request in
      let left = Int(request.target.dropFirst(2)) ?? 0
      return left == 0 ? [reply(body: sample(10))] : [redirect("/h\(left - 1)", [])]
    }
    defer { server.stop() }
    #expect(try await fetch(server.base + "/h10").length == 10)
    #expect(try await fetch(server.base + "/h11").error?.code == .tooManyRedirects)
    #expect(server.connectionCount == 2)
  }
}

@Suite struct CurlHostTests {
  @Test func internationalHostNameIsAskedInItsASCIIForm() async throws {
    let server = LoopbackServer { _ in [reply(body: sample(10))] }
    defer { server.stop() }
    #expect(try await fetch("http://bücher.localhost:\(server.port)/a").length == 10)
    #expect(server.requests.first?.value("Host") == "xn--bcher-kva.localhost:\(server.port)")
  }

  @Test func malformedProxyIsNotQuoted() async throws {
    for proxy in ["http://u:PXSECRET@[::1/", "gopher://u:PXSECRET@h", "http://u:PXSECRET@h:99999"] {
      let error = try #require(try await fetch("http://h.test/a", Ask(environment: ["http_proxy": proxy])).error)
      #expect(!"\(error) \(error.details)".contains("PXSECRET"), "\(error)")
    }
  }
}

@Suite struct CurlProxyTests {
  @Test func deadProxyIsTheProxysFailureUnlessExempted() async throws {
    let server = LoopbackServer { _ in [reply(body: sample(10))] }
    let dead = LoopbackServer { _ in [.close] }
    dead.stop()
    defer { server.stop() }
    let proxy = "http://u:PXSECRET@127.0.0.1:\(dead.port)"
    let error = try await fetch(server.base + "/a", Ask(environment: ["http_proxy": proxy])).error
    #expect(error?.code == .proxyFailed || error?.code == .connectionLost)
    #expect(error.map { !"\($0) \($0.details)".contains("PXSECRET") } == true)
    let exempt = Ask(environment: ["http_proxy": proxy, "no_proxy": "local, 127.0.0.0/8"])
    #expect(try await fetch(server.base + "/a", exempt).length == 10)
  }

  @Test func proxyGetsTheWholeURLAndItsRefusalIsNamed() async throws {
    let proxy = LoopbackServer { request in
      request.target.hasSuffix("/ok")
        ? [reply(body: sample(10))] : [reply("407 No", ["Proxy-Authenticate: Basic realm=\"x\""])]
    }
    defer { proxy.stop() }
    var configuration = QueueConfiguration()
    configuration.network.proxy = .url(proxy.base)
    #expect(try await fetch("http://files.test/ok", Ask(configuration: configuration)).length == 10)
    #expect(proxy.requests[0].target == "http://files.test/ok")
    let error = try await fetch("http://files.test/no", Ask(configuration: configuration)).error
    #expect(error?.code == .proxyFailed && error?.message.contains("proxy") == true)
    let tunnel = try await fetch("https://files.test/no", Ask(configuration: configuration)).error
    #expect(tunnel?.code == .proxyFailed && tunnel?.message.contains("407") == true)
  }

  @Test(arguments: [
    "", "no HTTP at all\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 2",
    "HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\n", String(repeating: "x", count: 400_000),
  ])
  func connectWithoutValidAnswerIsTheProxysFailure(_ answer: String) async throws {
    let proxy = LoopbackServer { _ in [.text(answer), .close] }
    defer { proxy.stop() }
    var configuration = QueueConfiguration()
    configuration.network.proxy = .url(proxy.base)
    let error = try await fetch("https://files.test/a", Ask(configuration: configuration)).error
    #expect(error?.code == .proxyFailed && error?.message.contains("127.0.0.1:\(proxy.port)") == true, "\(error!)")
    // Without a tunnel nobody can tell whose fault it is.
    let plain = try await fetch("http://files.test/a", Ask(configuration: configuration)).error
    #expect(plain?.code != .proxyFailed)
  }

  @Test func tunnelThatBreaksLaterIsNotTheProxysFailure() async throws {
    let proxy = LoopbackServer { _ in [.text("HTTP/1.1 200 OK\r\n\r\n"), .close] }
    defer { proxy.stop() }
    var configuration = QueueConfiguration()
    configuration.network.proxy = .url(proxy.base)
    let error = try await fetch("https://files.test/a", Ask(configuration: configuration)).error
    #expect(error?.code == .connectionLost || error?.code == .tlsFailed, "\(error!)")
  }
}
