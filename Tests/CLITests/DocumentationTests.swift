import DLSyncModel
import DLSyncTestSupport
import Testing

/// What is written about the program, held against the program.
@Suite struct DocumentationTests {
  @Test func errorTableMatchesTheCatalogue() throws {
    let rows = try Project.text("docs/errors.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
    let documented = rows.map { row in
      row.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(documented.map { $0[0] } == ErrorCode.all.map { "`\($0.text)`" })
    for (row, code) in zip(documented, ErrorCode.all) {
      #expect(row.count == 5, "\(row)")
      #expect(row[2] == (code.isRetryable ? "yes" : "no"), "\(code)")
      #expect(row[3] == "\(code.exitStatus)", "\(code)")
      #expect(row[1].count > 10 && row[4].count > 10, "\(code)")
    }
  }

  @Test func testsThatThePageOnServersNamesExist() throws {
    let rows = try Project.text("docs/servers.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
    let named = rows.flatMap { row -> [String] in
      let cells = row.split(separator: "|")
      guard cells.count == 3 else { return [] }
      return cells[2].split(separator: "`").map(String.init).filter { $0.first?.isLetter == true && $0 != "held by " }
    }
    #expect(named.count > 60)
    let found = try ChildProcess(Launch("/usr/bin/grep", ["-rhoE", "func [A-Za-z0-9]+", Project.root + "/Tests"]))
      .wait()
    let tests = Set(found.output.split(separator: "\n").map { String($0.dropFirst(5)) })
    #expect(Set(named).subtracting(tests) == [], "no such tests")
  }

  @Test func outputDocumentNamesEveryWord() throws {
    let text = try Project.text("docs/output.md")
    for action in PlanAction.allCases { #expect(text.contains("`\(action.rawValue)`")) }
    for reason in PlanReason.allCases { #expect(text.contains("`\(reason.rawValue)`"), "\(reason)") }
    for state in TaskState.allCases where state != .removed {
      #expect(text.contains("`\(state.rawValue)`"), "\(state)")
    }
  }

  @Test(arguments: Project.exampleManifests)
  func examplesAreGoodManifests(path: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run("check", "\(Project.root)/\(path)", environment: ["TOOLS_TOKEN": "t"])
    #expect(result.status == 0, "\(result)")
  }

  @Test func readmeManifestIsGood() throws {
    let sandbox = try Sandbox()
    let block = try #require(Project.blocks("yaml", in: try Project.text("README.md")).first)
    let result = try sandbox.run("check", try sandbox.manifest(block))
    #expect(result.status == 0, "\(result)")
  }

  @Test func examplesOfTheManualRun() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 1000)))
    try sandbox.manifest(files: [("/a", "bin/tool"), ("/a", "readme.txt")])
    let lines = try Project.text("man/dlsync.1").split(separator: "\n").filter { $0.hasPrefix(".Dl $ dlsync ") }
    #expect(lines.count > 2)
    for line in lines {
      let command = line.dropFirst(".Dl $ dlsync ".count).prefix { $0 != "|" }
      let words = command.split(separator: " ").map { $0.filter { $0 != "'" } }
      #expect(try sandbox.runner.run(sandbox.runner.launch(words)).status == 0, "\(command)")
    }
  }

  @Test func examplesOfTheManualAreGoodManifests() throws {
    let sandbox = try Sandbox()
    let blocks = try Project.text("man/dlsync-manifest.5").split(separator: ".Bd -literal -offset indent\n").dropFirst()
    #expect(blocks.count > 1)
    for block in blocks {
      var text = block.split(separator: "\n.Ed")[0] + "\n"
      if !text.contains("version:") { text = "version: 1\nbaseURL: https://example.org/\nfiles:\n" + text }
      let result = try sandbox.run("check", try sandbox.manifest(String(text)))
      #expect(result.status == 0, "\(result)")
    }
  }

  @Test func manualShowsEveryOption() throws {
    let sandbox = try Sandbox()
    let lines = try Project.text("man/dlsync.1").split(separator: "\n").filter { $0.hasPrefix(".It Fl ") }
    let manual = Set(lines.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("-") }.map { "-\($0)" })
    for command in ["plan", "apply", "verify", "check", "status"] {
      let help = try sandbox.run("help", command).output
      let options = help.split { $0.isWhitespace || $0 == "," || $0 == "=" || $0 == "[" || $0 == "]" }
        .filter { $0.hasPrefix("--") && $0.count > 2 }
      #expect(!options.isEmpty)
      let absent = Set(options.map(String.init)).subtracting(manual)
      #expect(absent.isEmpty, "options of \(command) that the manual does not know")
    }
  }

  @Test func exitStatusesOfReadmeAndManualAgree() throws {
    let readme = try Project.text("README.md")
    let manual = try Project.text("man/dlsync.1")
    for status in ["0", "1", "2", "3", "4"] {
      #expect(readme.contains("| \(status) | "))
      #expect(manual.contains(".It \(status)\n"))
    }
  }
}
