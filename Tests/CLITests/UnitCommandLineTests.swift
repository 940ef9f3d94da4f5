import DLSyncModel
import Testing

@testable import DLSyncCLI

@Suite struct CommandLineTests {
  @Test func actionsAreExplainedWithTheirCommand() throws {
    #expect(try ArgumentReader.read(["help", "state", "rebuild"]).arguments == ["state"])
  }

  @Test func aManifestInPlaceOfACommandIsToBeApplied() throws {
    let path = "\(Project.root)/examples/quickstart/manifest.yaml"
    let error = #expect(throws: UsageError.self) { try ArgumentReader.read([path]) }
    #expect(error?.message == #"unknown command "\#(path)"; did you mean "dlsync apply \#(path)"?"#)
  }

  /// A combining mark makes one Character with the sign before it.
  @Test func aCombiningMarkHidesNoSign() throws {
    let words = ["plan", "m.yaml", "--var", "v=\u{301}x", "--only=\u{301}y"]
    let settings = try ArgumentReader.read(words).settings
    #expect(settings.variables == ["v": "\u{301}x"] && settings.only == ["\u{301}y"])
    let headers = try ArgumentReader.read(["get", "http://h/", "-H", "A:\u{301}x"]).settings.headers
    #expect(headers == [HeaderField("A", "\u{301}x")])
    #expect(CommandWords.split("a '\u{301}b c'") == ["a", "\u{301}b c"])
  }

  static let mistakes: [([String], String)] = [
    ([], #"no command is given"#),
    (["aply"], #"unknown command "aply"; did you mean "apply"?"#),
    (["paln", "m.yaml"], #"unknown command "paln"; did you mean "plan"?"#),
    (["frobnicate"], #"unknown command "frobnicate"; "dlsync help" lists the commands"#),
    (["absent.yaml"], #"unknown command "absent.yaml"; "dlsync help" lists the commands"#),
    (["help", "state", "rebuilt"], #""help" takes no argument "rebuilt""#),
    (
      ["get", "http://h/", "--checksum", "sha256:00"],
      #"the option "--checksum" cannot be "sha256:00"; it takes 64 hexadecimal digits behind "sha256:""#
    ),
    (["apply"], #""apply" needs an argument: dlsync apply MANIFEST…"#),
    (["version", "x"], #""version" takes no argument "x""#),
    (["help", "a", "b"], #""help" takes no argument "b""#),
    (["apply", "--formt", "json", "m.yaml"], #"unknown option "--formt"; did you mean "--format"?"#),
    (["plan", "m.yaml", "--formt=json"], #"unknown option "--formt"; did you mean "--format"?"#),
    (["apply", "m.yaml", "--on-conflct", "keep"], #"unknown option "--on-conflct"; did you mean "--on-conflict"?"#),
    (["apply", "m.yaml", "--progres=none"], #"unknown option "--progres"; did you mean "--progress"?"#),
    (["apply", "-x", "m.yaml"], #"unknown option "-x"; "dlsync help COMMAND" lists the options"#),
    (["apply", "-V", "m.yaml"], #"unknown option "-V"; did you mean "-v"?"#),
    (["apply", "m.yaml", "--no-such"], #"unknown option "--no-such"; "dlsync help COMMAND" lists the options"#),
    (["schema", "--foo"], #"unknown option "--foo"; "dlsync help COMMAND" lists the options"#),
    (["apply", "m.yaml", "--netrc="], #"the option "--netrc" needs a value: --netrc FILE"#),
    (["plan", "m.yaml", "--format"], #"the option "--format" needs a value: --format FORMAT"#),
    (
      ["plan", "m.yaml", "--format", "jsno"],
      #"the option "--format" cannot be "jsno"; it takes text, json or ndjson; did you mean "json"?"#
    ),
    (
      ["status", "--format=ndjson"], #"the option "--format" cannot be "ndjson"; it takes text or json"#
    ),
    (
      ["apply", "m.yaml", "--jobs=0"],
      #"the option "--jobs" cannot be "0"; it takes a whole number from 1 to 4096"#
    ),
    (
      ["apply", "m.yaml", "-jmany"], #"the option "-j" cannot be "many"; it takes a whole number from 1 to 4096"#
    ),
    (
      ["apply", "m.yaml", "--rate", "fast"],
      #"the option "--rate" cannot be "fast"; it takes a rate such as 500kB/s or 20MiB/s"#
    ),
    (
      ["apply", "m.yaml", "--var", "a b=1"],
      #"the option "--var" cannot be "a b=1"; it takes a name of letters, digits, `_`, `-` and `.`, then "=" and a value"#
    ),
    (
      ["apply", "m.yaml", "--on-conflict", "maybe"],
      #"the option "--on-conflict" cannot be "maybe"; it takes fail, replace or keep"#
    ),
    (
      ["get", "http://h/a", "-H", "Range: bytes=0-"],
      #"the option "-H" cannot be "Range: …"; it takes a header that is not dlsync's own, as "#
        + "those of ranges, codings and hosts are"
    ),
    (
      ["apply", "m.yaml", "--lock-timeout", "soon"],
      #"the option "--lock-timeout" cannot be "soon"; it takes a duration such as 30s or 5m"#
    ),
    (
      ["apply", "m.yaml", "--var", "x"],
      #"the option "--var" cannot be "x"; it takes a name of letters, digits, `_`, `-` and `.`, then "=" and a value"#
    ),
    (["apply", "m.yaml", "--quiet=yes"], #"the option "--quiet" takes no value"#),
    (["plan", "m.yaml", "--jobs", "3"], #""plan" has no option "--jobs"; it belongs to "apply", "get" and "lock""#),
    (["check", "m.yaml", "--verify"], #""check" has no option "--verify"; it belongs to "plan" and "apply""#),
    (["plan", "-", "-"], #"standard input ("-") can be read only once"#),
  ]

  @Test(arguments: mistakes) func mistakesAreNamedInOneLine(_ arguments: [String], _ message: String) {
    let error = #expect(throws: UsageError.self) { try ArgumentReader.read(arguments) }
    #expect(error?.message == message)
    #expect(error?.asError.code.exitStatus == 2)
  }

  @Test func optionsStandAnywhereInEveryForm() throws {
    let forms: [[String]] = [
      ["apply", "m.yaml", "--format", "json", "-j4", "-q"], ["--format=json", "-qj", "4", "apply", "m.yaml"],
      ["apply", "-qj4", "--format=json", "--", "m.yaml"],
      ["-q", "--jobs=4", "--format", "json", "--", "apply", "m.yaml"],
    ]
    for arguments in forms {
      let invocation = try ArgumentReader.read(arguments)
      #expect(invocation.command == .apply, "\(arguments)")
      #expect(invocation.arguments == ["m.yaml"], "\(arguments)")
      #expect(invocation.settings.format == .json && invocation.settings.isQuiet, "\(arguments)")
      #expect(invocation.settings.jobs == 4, "\(arguments)")
    }
  }

  @Test func argumentsBehindTwoDashesAreNeverOptions() throws {
    #expect(try ArgumentReader.read(["plan", "--", "-odd.yaml", "--help"]).arguments == ["-odd.yaml", "--help"])
  }

  @Test func repeatedSelectionsAddUpAndOtherOptionsTakeTheLast() throws {
    let settings = try ArgumentReader.read([
      "plan", "m", "--only=a/*", "--only", "b", "--queue=q", "--color=always", "--color", "never", "--var=A=1=2",
    ]).settings
    #expect(settings.only == ["a/*", "b"])
    #expect(settings.queues == ["q"])
    #expect(settings.color == .never)
    #expect(settings.variables == ["A": "1=2"])
  }

  @Test func helpNeedsNoArguments() throws {
    let invocation = try ArgumentReader.read(["apply", "--help"])
    #expect(invocation.command == .help && invocation.arguments == ["apply"])
    #expect(try ArgumentReader.read(["--help"]).command == .help)
    for arguments in [["--version"], ["apply", "m.yaml", "--version"], ["--version", "apply"]] {
      let invocation = try ArgumentReader.read(arguments)
      #expect(invocation.command == .version && invocation.arguments.isEmpty, "\(arguments)")
    }
  }

  @Test(arguments: CommandWord.allCases) func helpPagesFitATerminalAndBeginWithAnExample(_ command: CommandWord) {
    let lines = HelpPage.page(of: command).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.contains("dlsync \(command.rawValue)") == true)
    #expect(lines.count <= 50)
    #expect(lines.allSatisfy { CharacterWidth.of($0) < 80 })
  }

  @Test(arguments: CommandWord.allCases) func examplesAreCommandLines(_ command: CommandWord) throws {
    let example = command.guide.example
    let line = try #require(example.split(separator: "dlsync ", maxSplits: 1).last).prefix { !">|)".contains($0) }
    let words = line.split(separator: " ").map { $0.filter { $0 != "'" } }
    #expect(try ArgumentReader.read(words).command == command, "\(example)")
  }

  @Test func theOverviewNamesEveryCommand() {
    for command in CommandWord.allCases { #expect(HelpPage.overview.contains(command.rawValue)) }
  }

  @Test func optionNamesAndLettersAreUnique() {
    let names = OptionTable.all.map(\.name)
    #expect(Set(names).count == names.count)
    let letters = OptionTable.all.compactMap(\.letter)
    #expect(Set(letters).count == letters.count)
  }

  @Test func usageErrorsAreOneLineAndOneDocument() async throws {
    let text = await run("plan", "m.yaml", "--frmat", "json")
    #expect(text.status == 2)
    #expect(text.out == "")
    #expect(text.err == "dlsync: error: unknown option \"--frmat\"; did you mean \"--format\"?\n")
    let json = await run("plan", "--format", "json")
    #expect(json.status == 2)
    #expect(
      json.out
        == #"{"formatVersion":1,"command":"plan","manifest":null,"error":{"code":"usage","message":"\"plan\" needs an"#
        + #" argument: dlsync plan MANIFEST…","retryable":false,"statusCode":null,"retryAfter":null,"hint":null},"#
        + "\"exitStatus\":2}\n")
  }

  @Test func versionAndHelpEndWell() async {
    #expect(await run("version") == (0, "dlsync \(ProductVersion.text)\n", ""))
    #expect(await run("--version").out == "dlsync \(ProductVersion.text)\n")
    let help = await run("help", "apply")
    #expect(help == (0, HelpPage.page(of: .apply), ""))
    #expect(await run("apply", "--help") == help)
    #expect(await run("help", "aply").status == 2)
  }

  @Test func theWorstManifestDecides() {
    #expect(ExitStatus.worst([]) == 0)
    #expect(ExitStatus.worst([0, 3, 1]) == 1)
    #expect(ExitStatus.worst([1, 4, 3]) == 4)
    #expect(ExitStatus.worst([4, 2]) == 2)
    #expect(ExitStatus.worst([1, 130]) == 130)
    #expect(ExitStatus.worst([0, 10]) == 10)
  }
}
