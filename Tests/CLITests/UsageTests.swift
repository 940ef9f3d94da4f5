import DLSyncTestSupport
import Testing

/// Command lines that are wrong: one line that helps, nothing on standard output, exit status 2.
@Suite struct UsageTests {
  static let mistakes: [(arguments: [String], says: [String])] = [
    ([], ["dlsync help"]),
    (["aply", "m.yaml"], ["aply", "did you mean \"apply\"?"]),
    (["pln"], ["did you mean \"plan\"?"]),
    (["frobnicate"], ["unknown command \"frobnicate\"", "\"dlsync help\" lists"]),
    (["help", "frobnicate"], ["unknown command \"frobnicate\"", "\"dlsync help\" lists"]),
    (["apply", "m.yaml", "--frobnicate"], ["unknown option \"--frobnicate\"", "lists the options"]),
    (["apply", "m.yaml", "--job", "3"], ["--job", "did you mean \"--jobs\"?"]),
    (["apply", "m.yaml", "--verbos"], ["did you mean \"--verbose\"?"]),
    (["apply", "m.yaml", "--jobs"], ["--jobs", "needs a value"]),
    (["apply", "m.yaml", "--jobs=0"], ["--jobs", "\"0\""]),
    (["apply", "m.yaml", "-j", "many"], ["-j", "\"many\""]),
    (["apply", "m.yaml", "--format", "xml"], ["\"xml\"", "json"]),
    (["apply", "m.yaml", "--rate", "fast"], ["--rate", "\"fast\""]),
    (["apply", "m.yaml", "--quiet=yes"], ["--quiet", "takes no value"]),
    (["apply"], ["MANIFEST"]),
    (["plan", "--fail-fast", "m.yaml"], ["--fail-fast", "apply"]),
    (["apply", "-", "-"], ["standard input"]),
    (["version", "now"], ["\"now\""]),
    (["apply", "m.yaml", "-x"], ["-x"]),
  ]

  @Test(arguments: mistakes)
  func mistakesAreToldInOneLine(arguments: [String], says: [String]) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.runner.run(sandbox.runner.launch(arguments))
    #expect(result.status == 2, "\(result)")
    #expect(result.output == "")
    let lines = result.errors.split(separator: "\n").filter { !$0.hasPrefix("hint: ") }
    #expect(lines.count == 1, "\(result.errors)")
    #expect(
      !result.errors.contains("unknown") || result.errors.hasSuffix("\n") && result.errors.count { $0 == "\n" } == 1)
    for text in says { #expect(result.errors.contains(text), "\(result.errors)") }
    #expect(sandbox.folder.files() == [])
  }

  @Test(arguments: [
    ["get", "http://h/a", "-H", "Authorization: Bearer hidden-7\r"],
    ["get", "http://h/a", "-H", "Authorization hidden-7"],
    ["get", "http://h/a", "--header=Host: hidden-7"], ["headers", "--all", "-HA B: hidden-7"],
    ["get", "http://h/a", "http://me:hidden-7@h/b"], ["get", "http://h/a", "http://h/b?token=hidden-7"],
    ["import", "urls", "l", "--base-url", "http://me:hidden-7@h/"], ["wait", "http://h/b?X-Amz-Signature=hidden-7"],
    ["pause", "http://me:hidden-7@h/b"], ["log", "http://h/b?sig=hidden-7"], ["http://h/b?token=hidden-7"],
    ["plan", "m.yaml", "--only", "http://h/b?token=hidden-7"],
    ["lock", "m.yaml", "--update", "http://h/b?token=hidden-7"],
  ])
  func noMistakeShowsASecret(arguments: [String]) throws {
    let sandbox = try Sandbox()
    try sandbox.folder.write("version: 1\nfiles: [http://h/x]\n", to: "work/m.yaml")
    for format in ["text", "json"] {
      let result = try sandbox.runner.run(sandbox.runner.launch(arguments + ["--format", format]))
      let said = result.output + result.errors
      #expect(!said.contains("hidden-7"), "\(said)")
      #expect(format == "json" || said.contains("…"), "\(said)")
    }
  }

  /// What is no text is refused before it names another file.
  @Test(arguments: [
    ("", "get http://127.0.0.1:1/x -o x\\377", "argument 4 is not UTF-8"),
    ("", "status --state s\\377", "argument 3 is not UTF-8"),
    ("", "get http://127.0.0.1:1/x -H A:hidden\\377", "argument 4 is not UTF-8"),
    ("XDG_STATE_HOME=/tmp/h\\377", "status", "the environment variable \"XDG_STATE_HOME\" is not UTF-8"),
    ("HTTP_PROXY=http://h\\377", "status", "the environment variable \"HTTP_PROXY\" is not UTF-8"),
  ])
  func whatIsNoTextIsRefused(environment: String, arguments: String, says: String) throws {
    let sandbox = try Sandbox()
    var launch = sandbox.runner.launch([])
    let script = "exec env $(printf '\(environment)') \"$0\" $(printf '\(arguments)')"
    launch.arguments = ["-c", script, launch.executable]
    launch.executable = "/bin/sh"
    let result = try sandbox.runner.run(launch)
    #expect(result.status == 2 && result.errors == "dlsync: error: \(says)\n", "\(result)")
    #expect(sandbox.folder.files() == [])
  }

  @Test func variablesThatAreNoTextCountAsUnset() throws {
    let sandbox = try Sandbox()
    try sandbox.manifest("version: 1\nfiles: [\"http://h/${env:ODD}\"]\n")
    var launch = sandbox.runner.launch([])
    launch.arguments = ["-c", "ODD=$(printf 'a\\377') exec \"$0\" check manifest.yaml", launch.executable]
    launch.executable = "/bin/sh"
    let result = try sandbox.runner.run(launch)
    #expect(result.status == 2 && result.errors.contains("\"ODD\" is not set"), "\(result)")
  }

  @Test func mistakesAreToldToProgramsToo() throws {
    let sandbox = try Sandbox()
    let (result, document) = try sandbox.json("apply", "m.yaml", "--job", "3")
    #expect(result.status == 2)
    #expect(document["formatVersion"].integer == 1)
    #expect(document["error"]["code"].string == "usage")
    #expect(document["error"]["retryable"].bool == false)
    #expect(document["exitStatus"].integer == 2)
  }

  @Test(arguments: [["--help"], ["help"], ["-h"]])
  func helpListsTheCommands(arguments: [String]) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.runner.run(sandbox.runner.launch(arguments))
    #expect(result.status == 0)
    for command in ["plan", "apply", "status", "check", "verify"] { #expect(result.output.contains(command)) }
    #expect(result.errors == "")
  }

  @Test(arguments: ["plan", "apply", "status", "check", "verify", "version"])
  func helpOfACommandFitsAPage(command: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run("help", command)
    #expect(result.status == 0)
    #expect(try sandbox.run(command, "--help").output == result.output)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 60, "\(lines.count) lines")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
    #expect(lines.prefix(3).contains { $0.contains("dlsync \(command)") }, "no example at the beginning")
  }

  @Test func versionIsPrinted() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run("version")
    #expect(result.status == 0)
    #expect(result.output.wholeMatch(of: /dlsync [0-9]+\.[0-9]+\.[0-9]+\S*\n/) != nil, "\(result.output)")
    #expect(try sandbox.run("--version").output == result.output)
    let (_, document) = try sandbox.json("version")
    #expect("dlsync \(document["version"].string ?? "")\n" == result.output)
  }

  @Test func optionsMayStandAnywhere() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    for arguments in [
      ["--format", "json", "plan", manifest], ["plan", "--format=json", manifest],
      ["plan", "--format=json", "--", manifest],
    ] {
      let result = try sandbox.runner.run(sandbox.runner.launch(arguments))
      #expect(result.status == 0)
      #expect(try JSONValue(result.output)["summary"]["download"].integer == 1)
    }
  }

  @Test func verboseVersionsNameTheLibraries() throws {
    let sandbox = try Sandbox()
    let lines = try sandbox.run("version", "--verbose").output.split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ")[0] } == ["dlsync", "libcurl", "SQLite", "libyaml", "OpenSSL"])
    for line in lines { #expect(line.split(separator: " ")[1].contains(/^[0-9]+\.[0-9]+/), "\(line)") }
    let (_, document) = try sandbox.json("version", "--verbose")
    #expect(document["libraries"]["libcurl"].string != nil)
  }
}
