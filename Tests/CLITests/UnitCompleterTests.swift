import DLSyncModel
import Testing

@testable import DLSyncCLI

@Suite struct CompleterTests {
  private static let completer = Completer(
    tasks: [task("/srv/a b"), task("/srv/evil\u{1b}[2J"), task("/srv/two\nlines")], queues: ["default", "large"],
    tags: ["big", "tools"])

  private static func task(_ destination: String) -> TaskSnapshot {
    TaskSnapshot(
      id: TaskID(value: 0xabc), scope: Scope("s"), queue: .default, url: "https://example.org/",
      destination: destination,
      state: .running, createdAt: Timestamp(seconds: 0))
  }

  @Test(
    arguments: [
      (["ap"], ["apply"]),
      (["apply", "--qu"], ["--queue", "--quiet"]),
      (["--progress", "pl"], ["plain"]),
      (["apply", "--queue", ""], ["default", "large"]),
      (["apply", "--queue=l"], ["--queue=large"]),
      (["apply", "--queue", "=", "l"], ["large"]),
      (["apply", "--queue", "="], ["default", "large"]),
      (["apply", "-j", ""], []),
      (["plan", "--on-conflict", ""], ["fail", "replace", "keep"]),
      (["plan", "--fail"], []),
      (["help", "che"], ["check"]),
      (["help", "check", ""], []),
      (["state", "re"], ["rebuild"]), (["agent", "st"], ["start", "stop", "status"]),
      (["apply", "m.yaml", "--tag", ""], ["big", "tools"]), (["plan", "--tag=t"], ["--tag=tools"]),
      (["import", "m"], ["metalink"]), (["export", "urls", ""], []), (["plan", "--explain", "/srv/a"], ["/srv/a b"]),
      (["pause", "/srv/a"], ["/srv/a b"]),
      (["pause", "0000"], ["000000000abc", "000000000abc", "000000000abc"]),
      (["pause", "/srv/e"], []),
      (["pause", "--", "--"], []),
      (["nonsense", "x"], []),
      (["status", "--format", ""], ["text", "json"]), (["log", "--format=n"], ["--format=ndjson"]),
      (["--format", "n"], ["ndjson"]), (["check", "--ver"], ["--verbose"]),
      (["--ver"], ["--verify", "--verbose", "--version"]),
      ([], []),
    ] as [([String], [String])])
  func aBeginningHasItsEnds(words: [String], candidates: [String]) {
    #expect(Self.completer.complete(words).candidates.map(\.text) == candidates)
  }

  @Test(
    arguments: [
      (["apply", ""], .manifests), (["apply", "a.yaml", "b"], .manifests), (["state", "rebuild", ""], .manifests),
      (["state", "path", ""], nil), (["plan", "--state", ""], .folders), (["apply", "--report", "x"], .files),
      (["plan", "--quiet", "x"], .manifests), (["plan", "--color=never", ""], .manifests), (["version", ""], nil),
      (["apply", "--netrc", "=", "h"], .files), (["apply", "--netrc", "="], .files), (["get", "-o", "h"], .files),
    ] as [([String], Completer.Paths?)])
  func pathsAreLeftToTheShell(words: [String], paths: Completer.Paths?) {
    #expect(Self.completer.complete(words).paths == paths)
  }

  @Test(
    arguments: [
      (["apply", "a.yaml", "--tag", ""], ["a.yaml"]),
      (["apply", "a.yaml", "b.yaml", "--queue", "="], ["a.yaml", "b.yaml"]),
      (["plan", "a.yaml", "--tag=x"], ["a.yaml"]), (["plan", "--tag", ""], []), (["plan", "a.yaml", ""], nil),
      ([], nil),
    ] as [([String], [String]?)])
  func manifestsAreReadForWhatTheyDeclareOnly(words: [String], manifests: [String]?) {
    #expect(Self.completer.manifests(behind: words) == manifests)
  }

  @Test func whatTheHelpOfACommandListsIsOffered() {
    for command in CommandWord.allCases {
      let offered = Self.completer.complete([command.rawValue, "-"]).candidates.map(\.text)
      let listed = HelpPage.page(of: command).matches(of: /(?m)^ {2}(?:-[a-zA-Z], | {4})(--[a-z-]+)/).map {
        String($0.1)
      }
      #expect(offered == listed, "\(command)")
    }
  }
}
