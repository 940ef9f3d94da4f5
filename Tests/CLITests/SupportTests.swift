import DLSyncTestSupport
import DLSyncThreading
import Glibc
import Testing

/// The laws of the test support itself, held against curl(1): a fault that does not happen would let a bug pass.
@Suite struct SupportTests {
  private func curl(_ arguments: String...) throws -> ProcessResult {
    let launch = Launch(
      "/usr/bin/curl", ["--silent", "--show-error", "--max-time", "20"] + arguments,
      environment: ["PATH": "/usr/bin:/bin"])
    return try ChildProcess(launch).wait()
  }

  @Test func originServesAndRecords() throws {
    let origin = try Origin()
    let bytes = payload(count: 300_000)
    origin.serve("/a.bin", .file(bytes))
    let result = try curl(origin.url("/a.bin?q=1"))
    #expect(result.outputBytes == bytes)
    let requests = origin.requests("/a.bin")
    #expect(requests.map(\.target) == ["/a.bin?q=1"])
    #expect(requests.first?.header("user-agent")?.hasPrefix("curl/") == true)
    #expect(origin.bodyBytesSent == 300_000)
    #expect(try curl(origin.url("/nothing"), "--fail").status == 22)
  }

  @Test func originServesBothFamilies() throws {
    let origin = try Origin()
    origin.serve("/", .status(200, "hello"))
    if origin.hasIPv6 { #expect(try curl(origin.ipv6URL("/")).output == "hello") }
    #expect(try curl(origin.localhostURL("/")).output == "hello")
  }

  @Test func rangesAreServedAsAsked() throws {
    let origin = try Origin()
    let bytes = payload(count: 1000)
    origin.serve("/a", .file(bytes))
    #expect(try curl("--range", "100-199", origin.url("/a")).outputBytes == Array(bytes[100..<200]))
    #expect(try curl("--range", "-10", origin.url("/a")).outputBytes == Array(bytes[990...]))
    #expect(try curl("--range", "990-", origin.url("/a")).outputBytes == Array(bytes[990...]))
    #expect(try curl("--range", "1000-", "--write-out", "%{http_code}", origin.url("/a")).output == "416")
    let stale = try curl("--range", "5-", "--header", "If-Range: \"other\"", origin.url("/a"))
    #expect(stale.outputBytes == bytes)
    let fresh = try curl("--write-out", "%{http_code}", "--header", "If-None-Match: \"v1\"", origin.url("/a"))
    #expect(fresh.output == "304")
  }

  @Test func attemptsTakeTheirScriptsInOrder() throws {
    let origin = try Origin()
    origin.serve("/a", [.status(503), .status(200, "now")])
    let result = try curl("--retry", "2", "--retry-delay", "0", origin.url("/a"))
    #expect(result.output.hasSuffix("now"))
    #expect(origin.requests("/a").map(\.attempt) == [1, 2])
  }

  @Test(arguments: [(Script.Ending.finish, Int32(18)), (.reset, 56)])
  func cutsEndTheConnection(ending: Script.Ending, status: Int32) throws {
    let origin = try Origin()
    origin.serve("/a", .file(payload(count: 10_000)).cut(after: 4000, ending))
    let result = try curl("--output", "/dev/null", origin.url("/a"))
    #expect(result.status == status, "\(result)")
  }

  @Test func silenceLastsUntilTheClientGoes() throws {
    let origin = try Origin()
    origin.serve("/a", .silence)
    let process = try ChildProcess(Launch("/usr/bin/curl", ["--silent", origin.url("/a")]))
    #expect(origin.wait { $0.liveRequests == 1 })
    process.kill()
    #expect(process.wait().signal == SIGKILL)
    #expect(origin.wait { $0.liveRequests == 0 })
  }

  @Test func framingsAreUnderstood() throws {
    let origin = try Origin()
    let bytes = payload(count: 200_000)
    for framing in [Script.Framing.chunked, .untilClose] {
      origin.serve("/a", .file(bytes).framed(framing))
      #expect(try curl(origin.url("/a")).outputBytes == bytes, "\(framing)")
    }
  }

  @Test func paceIsKept() throws {
    let origin = try Origin()
    origin.serve("/a", .file(payload(count: 100_000)).paced(bytesPerSecond: 200_000))
    let result = try curl("--output", "/dev/null", origin.url("/a"))
    #expect(result.seconds > 0.4 && result.status == 0, "\(result.seconds) s")
  }

  @Test func processesHaveTheirStreamsAndEnvironment() throws {
    var launch = Launch(
      "/bin/sh", ["-c", "cat; echo \"$A $PWD\" >&2; exit 7"], environment: ["A": "b", "PATH": "/bin"],
      workingFolder: "/tmp", input: payload(count: 200_000))
    let result = try ChildProcess(launch).wait()
    #expect(result.status == 7)
    #expect(result.outputBytes == payload(count: 200_000))
    #expect(result.errors == "b /tmp\n")
    launch.arguments = ["-c", "sleep 30 & sleep 30"]
    let late = try ChildProcess(launch).wait(.milliseconds(50))
    #expect(late.timedOut && late.signal == SIGKILL)
  }

  @Test func terminalsHaveTheirSize() throws {
    var launch = Launch(
      "/bin/sh", ["-c", "test -t 2 && test ! -t 1 && stty size <&2 >&2"], environment: ["PATH": "/bin"])
    launch.errors = .terminal
    launch.terminalSize = .init(columns: 40, rows: 10)
    let result = try ChildProcess(launch).wait()
    #expect(result.status == 0)
    #expect(result.terminal == "10 40\r\n")
  }

  @Test func nginxServesAFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("hello", to: "deep/a.txt")
    let nginx = try Nginx(root: folder.path)
    #expect(try curl(nginx.url("/deep/a.txt")).output == "hello")
    #expect(nginx.accessLog == ["GET /deep/a.txt 200 -"])
  }

  @Test func foldersAreGoneAfterwards() throws {
    var path = ""
    do {
      let folder = try TemporaryFolder()
      path = folder.path
      try folder.write("x", to: "a/.b/c")
      #expect(folder.files() == ["a/.b/c"])
      chmod(folder("a/.b"), 0)
    }
    #expect(access(path, F_OK) != 0)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,\"a\":2}", "01", "1.", "\"\u{1}\"", "\"\\ud800\"", "nul", "1 2", "{a:1}", "+1", "NaN",
  ])
  func whatIsNoJSONIsRefused(text: String) {
    #expect(throws: SupportError.self) { try JSONValue(text) }
  }

  @Test func jsonIsRead() throws {
    let value = try JSONValue(#" {"a": [1, -2.5e1, true, null, "x\n\u00e9\ud83d\ude00"], "b": {}} "#)
    #expect(value.names == ["a", "b"])
    #expect(value["a"][0].integer == 1)
    #expect(value["a"][1].number == -25)
    #expect(value["a"][3].isNull && value.has("b") && !value.has("c"))
    #expect(value["a"][4].string == "x\né😀")
  }

  @Test func seededBytesRepeat() {
    #expect(payload(count: 13, seed: 7) == payload(count: 13, seed: 7))
    #expect(payload(count: 13, seed: 7) != payload(count: 13, seed: 8))
    #expect(Array(payload(count: 21, seed: 7).prefix(13)) == payload(count: 13, seed: 7))
  }
}
