import DLSyncTestSupport
import Testing

@testable import DLSyncCLI

/// The manual page, held against the tables that the command line is parsed by.
@Suite struct ManualTests {
  /// `-n, --dry-run VALUE` without the value's own word.
  private struct Option: Hashable, CustomStringConvertible {
    let letter: Character?
    let name: String
    let hasValue: Bool
    var description: String { "\(letter.map { "-\($0), " } ?? "")--\(name)\(hasValue ? " VALUE" : "")" }
  }

  private static func section(_ name: String) throws -> [Substring] {
    let lines = try Project.text("man/dlsync.1").split(separator: "\n")
    let rest = lines.drop { $0 != ".Sh \(name)" }.dropFirst()
    return Array(rest.prefix { !$0.hasPrefix(".Sh ") })
  }

  @Test func theManualHasExactlyTheOptionsOfTheTable() throws {
    let text = try Project.text("man/dlsync.1")
    let items = text.split(separator: "\n").filter { $0.hasPrefix(".It Fl ") }.map { line -> Option in
      var words = line.split(separator: " ").dropFirst(2)
      var letter: Character?
      if let first = words.first, !first.hasPrefix("-") {
        letter = first.first
        words = words.dropFirst(2)
      }
      let name = words.popFirst().map { String($0.dropFirst()) } ?? ""
      return Option(letter: letter, name: name, hasValue: !words.isEmpty)
    }
    #expect(items.count == Set(items).count, "an option stands twice in the manual")
    let table = Set(OptionTable.all.map { Option(letter: $0.letter, name: $0.name, hasValue: $0.value != nil) })
    #expect(Set(items).subtracting(table) == [], "only in the manual")
    #expect(table.subtracting(items) == [], "only in the table")
  }

  @Test func theManualShowsTheWordsThatAnOptionTakes() throws {
    let lines = try Project.text("man/dlsync.1").split(separator: "\n")
    for option in OptionTable.all where !option.words.isEmpty {
      let line = lines.first { $0.hasPrefix(".It ") && $0.contains("-\(option.name) Cm ") } ?? ""
      let words = line.split(separator: " ").drop { $0 != "Cm" }.dropFirst().filter { $0 != "|" }.map(String.init)
      #expect(words == option.words, "--\(option.name)")
    }
  }

  @Test func theManualHasExactlyTheCommandsOfThisVersion() throws {
    let commands = Set(CommandWord.allCases.map(\.rawValue))
    let lines = try Self.section("SYNOPSIS")
    let synopsis = zip(lines, lines.dropFirst()).filter { $0.0 == ".Nm" }.flatMap { _, line -> [String] in
      let words = line.dropFirst(4).split(separator: " ").map(String.init)
      // `pause | resume` are commands, `agent start | stop` are words of one.
      return words.dropFirst().first == "|" ? words.filter { $0 != "|" } : Array(words.prefix(1))
    }
    #expect(Set(synopsis) == commands)
    let explained = try Self.section("COMMANDS").filter { $0.hasPrefix(".It Cm ") }
      .flatMap { line in
        let words = line.dropFirst(7).split { $0 == " " || $0 == "," }.map(String.init)
        return line.contains(",") ? words : Array(words.prefix(1))
      }
    #expect(commands.subtracting(explained) == [], "not explained")
  }
}
