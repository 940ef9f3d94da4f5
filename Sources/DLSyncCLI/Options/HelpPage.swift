/// The help pages, made from the tables of commands and options: an example first, at most 80 columns, one screen.
enum HelpPage {
  private static let columns = 79
  /// The longest name of a command, and two blanks.
  private static let nameColumns = (CommandWord.allCases.map(\.rawValue.count).max() ?? 0) + 2

  /// What `dlsync help` says.
  static let overview: String = {
    var lines = ["Example: dlsync apply manifest.yaml", ""]
    lines += Fitting.wrapped(
      "A YAML manifest says which files should exist; dlsync compares and fetches what is missing or changed.",
      columns: columns)
    lines += ["", "Usage: dlsync COMMAND [OPTIONS] [ARGUMENTS]", ""]
    for command in CommandWord.allCases {
      lines.append("  " + Fitting.padded(command.rawValue, columns: nameColumns) + command.summary)
    }
    lines += ["", "\"dlsync help COMMAND\" explains a command and lists its options."]
    return text(lines)
  }()

  /// What `dlsync help COMMAND` says.
  static func page(of command: CommandWord) -> String {
    let guide = command.guide
    var lines = ["Example: \(guide.example)", ""]
    let synopsis = guide.arguments.synopsis
    lines += ["Usage: dlsync \(command.rawValue) [OPTIONS]\(synopsis.isEmpty ? "" : " " + synopsis)"]
    for paragraph in guide.explanation { lines += [""] + Fitting.wrapped(paragraph, columns: columns) }
    lines += ["", "Options:"] + options(of: command)
    return text(lines)
  }

  private static func options(of command: CommandWord) -> [String] {
    let taken = OptionTable.all.filter { $0.isListed(for: command) }
    let spellings = taken.map { option in
      (option.letter.map { "-\($0), " } ?? "    ") + option.spelling
        + (option.value.map { option.isValueOptional ? "[=\($0)]" : " \($0)" } ?? "")
    }
    let width = spellings.map(\.count).max() ?? 0
    return zip(taken, spellings).flatMap { option, spelling -> [String] in
      let summary = Fitting.wrapped(option.summary, columns: columns - width - 4)
      return summary.enumerated().map { index, line in
        "  " + Fitting.padded(index == 0 ? spelling : "", columns: width) + "  " + line
      }
    }
  }

  private static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
