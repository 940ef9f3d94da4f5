import DLSyncModel
import Testing

@testable import DLSyncTransfer

@Suite struct HeaderParserTests {
  private func parse(_ lines: [String]) -> [HeaderParser.Step] {
    var parser = HeaderParser()
    return lines.map { line in
      let bytes = Array((line + "\r\n").utf8)
      return bytes.withUnsafeBytes { parser.take($0) }
    }
  }

  @Test func headHasStatusVersionAndEveryFieldInOrder() {
    let steps = parse(["HTTP/1.1 200 OK", "A: 1", "a:2  ", "B:\t3", ""])
    let fields = [HeaderField("A", "1"), HeaderField("a", "2"), HeaderField("B", "3")]
    #expect(steps.last == .head(ResponseHead(statusCode: 200, fields: fields)))
    #expect(
      parse(["HTTP/2 404 ", "a: 1", ""]).last
        == .head(ResponseHead(statusCode: 404, majorVersion: 2, fields: [HeaderField("a", "1")])))
  }

  @Test func informationalHeadsDoNotLeakIntoTheFinalOne() {
    let steps = parse(["HTTP/1.1 103 Early Hints", "Content-Length: 3", "", "HTTP/1.1 200 OK", "A: 1", ""])
    #expect(steps[2] == .head(ResponseHead(statusCode: 103, fields: [HeaderField("Content-Length", "3")])))
    #expect(steps.last == .head(ResponseHead(statusCode: 200, fields: [HeaderField("A", "1")])))
  }

  @Test func foldedLineGoesOnWithTheValue() {
    #expect(parse(["HTTP/1.1 200 OK", "A: 1", "  2", ""]).last == .head(head(200, ["A": "1 2"])))
  }

  @Test func endlessFoldingIsInvalid() {
    let few = parse(["HTTP/1.1 200 OK", "A: 0"] + (1...64).map { " \($0)" } + [""])
    #expect(few.last == .head(head(200, ["A": (0...64).map { "\($0)" }.joined(separator: " ")])))
    guard case .invalid = parse(["HTTP/1.1 200 OK", "A: 0"] + (1...65).map { " \($0)" }).last else {
      Issue.record("65 folded lines were taken")
      return
    }
  }

  @Test func linesWithoutColonAreSkipped() {
    #expect(parse(["HTTP/1.1 200 OK", "nonsense", ": x", "A:", ""]).last == .head(head(200, ["A": ""])))
  }

  @Test(arguments: ["ICY 200 OK", "HTTP/1.1", "HTTP/1.1 20 OK", "HTTP/1.1 2000", "HTTP/1.1 abc"])
  func whatIsNoStatusLineIsInvalid(_ line: String) {
    guard case .invalid = parse([line])[0] else {
      Issue.record("taken: \(line)")
      return
    }
  }

  @Test func bytesThatAreNotUTF8ArePercentEncoded() {
    var parser = HeaderParser()
    var last = HeaderParser.Step.more
    for line in [Array("HTTP/1.1 302 F\r\n".utf8), Array("Location: /".utf8) + [0xe9, 0x0d, 0x0a], [0x0d, 0x0a]] {
      last = line.withUnsafeBytes { parser.take($0) }
    }
    #expect(last == .head(head(302, ["Location": "/%e9"])))
  }

  @Test func interimHeadsWithoutEndAreInvalid() {
    let interim = ["HTTP/1.1 103 Early Hints", "Link: " + String(repeating: "x", count: 10_000), ""]
    let few = (0..<20).flatMap { _ in interim } + ["HTTP/1.1 200 OK", ""]
    #expect(parse(few).last == .head(head(200, [:])))
    let many = (0..<30).flatMap { _ in interim }
    guard case .invalid = parse(many).last else {
      Issue.record("300 kB of interim heads were taken")
      return
    }
  }

  @Test func headerWithoutEndIsInvalid() {
    let many = ["HTTP/1.1 200 OK"] + (0...1000).map { "A\($0): 1" }
    guard case .invalid = parse(many).last else {
      Issue.record("1001 fields were taken")
      return
    }
    let large = ["HTTP/1.1 200 OK"] + (0..<30).map { "A\($0): " + String(repeating: "x", count: 10_000) }
    guard case .invalid = parse(large).last else {
      Issue.record("300 kB were taken")
      return
    }
  }
}

@Suite struct ProxyChoiceTests {
  private func proxy(_ url: String, _ environment: [String: String], _ setting: QueueConfiguration.Network.Proxy? = nil)
    throws
    -> String?
  {
    ProxyChoice(setting, environment: environment).proxy(for: try SourceURL(url))
  }

  @Test func schemeChoosesTheVariable() throws {
    let environment = ["http_proxy": "p1", "https_proxy": "p2", "all_proxy": "p3"]
    #expect(try proxy("http://h/", environment) == "p1")
    #expect(try proxy("https://h/", environment) == "p2")
    #expect(try proxy("http://h/", ["all_proxy": "p3"]) == "p3")
    #expect(try proxy("https://h/", ["ALL_PROXY": "p3"]) == "p3")
    #expect(try proxy("https://h/", ["HTTPS_PROXY": "p4"]) == "p4")
    #expect(try proxy("http://h/", ["http_proxy": "  "]) == nil)
    #expect(try proxy("http://h/", [:]) == nil)
  }

  @Test func capitalsAreNotHonouredForHTTP() throws { #expect(try proxy("http://h/", ["HTTP_PROXY": "p"]) == nil) }

  @Test func queuesSettingWins() throws {
    #expect(try proxy("http://h/", ["http_proxy": "p", "no_proxy": "*"], .url("q")) == "q")
    #expect(try proxy("http://h/", ["http_proxy": "p"], .some(.none)) == nil)
  }

  @Test(arguments: [
    ("127.0.0.0/8", "http://127.1.2.3/", true), ("127.0.0.0/8", "http://128.1.2.3/", false),
    ("10.0.0.0/9", "http://10.127.0.1/", true), ("10.0.0.0/9", "http://10.128.0.1/", false),
    ("local, 127.0.0.1", "http://127.0.0.1:8080/", true), ("local 127.0.0.1", "http://127.0.0.1/", true),
    ("*", "http://anything/", true), (".example.test", "http://a.example.test/", true),
    (".example.test", "http://example.test/", true), ("example.test", "http://a.b.example.test/", true),
    ("example.test", "http://badexample.test/", false), ("*.example.test", "http://a.example.test/", true),
    ("EXAMPLE.test", "http://Example.TEST/", true), ("[::1]", "http://[::1]/", true), ("::1", "http://[::1]/", true),
    ("fd00::/8", "http://[fd12::1]/", true), ("fd00::/8", "http://[fe80::1]/", false),
    ("1", "http://127.0.0.1/", false),
    ("0.0.1", "http://127.0.0.1/", false), ("h:8080", "http://h:8080/", true), ("h:8080", "http://h/", false),
    ("127.0.0.1:80", "http://127.0.0.1/", true), ("", "http://h/", false), (",, ,", "http://h/", false),
    ("127.0.0.0/99", "http://127.0.0.1/", false),
  ])
  func exceptionsAreReachedDirectly(_ list: String, _ url: String, _ isDirect: Bool) throws {
    #expect(try (proxy(url, ["http_proxy": "p", "no_proxy": list]) == nil) == isDirect, "\(list) for \(url)")
  }

  @Test(arguments: [
    ("http://alice:sec/ret@127.0.0.1:9", "127.0.0.1:9"), ("alice:1#2?3@h:1/", "h:1"),
    ("http://u:p@h:3128/", "h:3128"), ("socks5://h:1", "h:1"), ("h:3128", "h:3128"), ("u:p@q@h", "h"),
  ])
  func shownProxyHasNoCredentials(_ proxy: String, _ shown: String) { #expect(ProxyChoice.shown(proxy) == shown) }
}

@Suite struct HostGateTests {
  @Test func visitorsWaitInOrderAndTakeOverTheSlot() {
    var gate = HostGate<Int>()
    let owner = MemorySink()
    let door = HostDoor(queue: ObjectIdentifier(owner), host: "h")
    let other = HostDoor(queue: ObjectIdentifier(owner), host: "g")
    let entered = [(door, 1), (door, 2), (door, 3), (other, 4)].map { gate.enter($0.0, limit: 1, $0.1) }
    #expect(entered == [true, false, false, true])
    gate.giveUp(door) { $0 == 2 }
    let first = gate.leave(door)
    let late = gate.enter(door, limit: 1, 5)
    let second = gate.leave(door)
    let last = gate.leave(door)
    let again = gate.enter(door, limit: 1, 6)
    #expect(first == 3)
    #expect(!late)
    #expect(second == 5)
    #expect(last == nil)
    #expect(again)
  }
}
