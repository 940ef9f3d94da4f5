import DLSyncTestSupport
import Testing

/// Every message has one style: what could not be done, to what (in quotes), why; a hint that says what to do. Held against
/// messages of real runs, one for each kind of trouble that a server, a folder or a command line can make.
@Suite struct MessageStyleTests {
  struct Trouble: Sendable, CustomTestStringConvertible {
    let code: String
    var script = Script.file(payload(count: 3000))
    /// Further members of the entry.
    var entry = ""
    var queue = "{ retry: { maxAttempts: 1 }, timeouts: { request: 1s } }"
    var arguments: [String] = []
    /// Another URL than the origin's.
    var url: String?
    /// What is at the destination before.
    var there: String?
    var testDescription: String { "\(code) \(url ?? "") \(entry) \(script.status)" }
  }

  private static let zeros = String(repeating: "0", count: 64)

  static let troubles = [
    Trouble(code: "httpStatus", script: .status(404)), Trouble(code: "httpStatus", script: .status(503)),
    Trouble(code: "httpStatus", script: .status(410)), Trouble(code: "authenticationRequired", script: .status(401)),
    Trouble(code: "authenticationRequired", script: .status(403)),
    Trouble(code: "redirectRefused", script: .redirect(to: "ftp://other/x")),
    Trouble(code: "tooManyRedirects", script: .redirect(to: "/a")),
    Trouble(code: "encodingUnsupported", script: Script.file([1]).with("Content-Encoding", "gzip")),
    Trouble(code: "protocolError", script: .raw("hello\r\n\r\n")),
    Trouble(code: "connectionLost", script: Script.file(payload(count: 3000)).cut(after: 100)),
    Trouble(code: "timedOut", script: .silence), Trouble(code: "connectFailed", url: "http://127.0.0.1:1/a"),
    Trouble(code: "nameResolutionFailed", url: "http://nowhere.invalid/a"),
    Trouble(code: "checksumMismatch", entry: ", checksum: \"sha256:\(zeros)\""),
    Trouble(code: "sizeMismatch", entry: ", size: 5"),
    Trouble(code: "checksumUnavailable", entry: ", checksum: { algorithm: sha256, from: gone.sums }"),
    Trouble(code: "networkNotAllowed", arguments: ["--offline"]),
    Trouble(code: "destinationExists", there: "mine"), Trouble(code: "lockOutdated", arguments: ["--locked"]),
  ]

  @Test(arguments: troubles) func troubleWithAFile(_ trouble: Trouble) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", trouble.script)
    if let text = trouble.there { _ = try sandbox.folder.write(text, to: "work/out/name.bin") }
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      baseURL: \(sandbox.origin.url("/"))
      queues: { default: \(trouble.queue) }
      files:
        - { url: "\(trouble.url ?? sandbox.origin.url("/a"))", destination: name.bin\(trouble.entry) }

      """)
    let launch = sandbox.runner.launch(["apply", manifest, "--format", "json"] + trouble.arguments)
    let result = try sandbox.runner.run(launch)
    let document = try JSONValue(result.output)
    let error = document["error"]["code"].string == nil ? document["files"][0]["error"] : document["error"]
    #expect(error["code"].string == trouble.code, "\(result)")
    let message = error["message"].string ?? ""
    Self.checkStyle(message, hint: error["hint"].string)
    #expect(message.contains("\""), "what it is about is not in quotes: \(message)")
    #expect(error["hint"].string != nil, "nothing says what to do: \(message)")
  }

  static let commandLines: [[String]] =
    UsageTests.mistakes.map(\.arguments) + [
      ["pause", "0123456789ab"], ["resume", "nothing"], ["status", "m.yaml"], ["apply", "absent.yaml"], ["apply", "."],
      ["get", "ftp://h/a"], ["get", "no url"], ["import", "aria3", "f"], ["import", "aria2", "absent"],
      ["export", "urls", "absent.yaml"], ["apply", "m.yaml", "--report", "r.pdf"],
      ["apply", "m.yaml", "--shard", "3/2"],
      ["apply", "m.yaml", "--state", "/dev/null/x"], ["completions", "tcsh"], ["state", "chek"], ["cache", "claer"],
      ["agent", "strat"], ["init", "/dev/null/x"], ["lock", "absent.yaml"], ["verify"], ["priority", "2", "x"],
      ["plan", "m.yaml", "--explain", "x"], ["check", "absent.yaml"], ["doctor", "absent.yaml"], ["help", "aply"],
    ]

  @Test(arguments: commandLines) func troubleWithACommandLine(arguments: [String]) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.runner.run(sandbox.runner.launch(arguments))
    #expect(result.status != 0, "\(result)")
    var messages = 0
    for line in result.errors.split(separator: "\n").map(String.init) {
      if line.hasPrefix("dlsync: error: ") {
        messages += 1
        Self.checkStyle(String(line.dropFirst("dlsync: error: ".count)), hint: nil)
      } else if line.hasPrefix("hint: ") {
        Self.checkStyle("a message", hint: String(line.dropFirst("hint: ".count)))
      }
    }
    #expect(messages > 0 || !result.output.isEmpty, "\(result)")
  }

  @Test func troubleInAManifest() throws {
    let sandbox = try Sandbox()
    let lines = [
      "versoin: 1", "version: 2", "version: 1\nfiles: 3", "version: 1\nname: \"a b\"\nfiles: []",
      "version: 1\nqueues: { q: { concurency: 3 } }\nfiles: []", "version: 1\nqueues: { q: { rate: fast } }\nfiles: []",
      "version: 1\nfiles: [{ url: \"ftp://h/a\" }]", "version: 1\nfiles: [{ url: \"http://h/\" }]",
      "version: 1\nfiles: [{ url: \"http://h/a\", destination: ../a }]", "version: 1\nfiles: [{ destination: a }]",
      "version: 1\nfiles: [{ url: \"http://h/a\", checksum: md4:00 }]",
      "version: 1\nfiles: [{ url: \"http://h/${X}\" }]",
      "version: 1\nfiles: [{ url: \"http://h/a\", queue: nightly }]", "version: 1\nfiles: [", "version: 1\nfiles: *a",
      "version: 1\nfiles: [{ url: \"http://h/a\", size: many }, { url: \"http://h/a\", size: 3, size: 4 }]",
    ]
    for text in lines {
      let path = try sandbox.manifest(text + "\n")
      let (result, document) = try sandbox.json("check", path)
      let diagnostics = document["diagnostics"].array ?? []
      #expect(result.status == 2 && !diagnostics.isEmpty, "\(text): \(result)")
      for diagnostic in diagnostics {
        Self.checkStyle(diagnostic["message"].string ?? "", hint: diagnostic["hint"].string)
      }
    }
  }

  private static func checkStyle(_ message: String, hint: String?) {
    for text in [message, hint].compactMap(\.self) {
      #expect((3...400).contains(text.count) && !text.contains("\n") && !text.contains("  "), "\(text)")
      #expect(text.first?.isUppercase == false, "begins like a sentence: \(text)")
      #expect(text.last.map { ".!:,; ".contains($0) } == false, "ends like a sentence: \(text)")
      // Only what was probably meant is asked.
      #expect(!text.hasSuffix("?") || text.contains("did you mean"), "asks: \(text)")
      for word in ["please", "sorry", "oops", "failed to ", "nil", "Optional(", "errno 0"] {
        #expect(!text.lowercased().contains(word.lowercased()), "\(word): \(text)")
      }
    }
    #expect(hint != message, "\(message)")
  }
}
