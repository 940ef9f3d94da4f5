import DLSyncKit
import DLSyncModel

/// `dlsync import FORMAT FILE`: a manifest of another tool's list.
enum ImportCommand {
  static let guide = CommandGuide(
    arguments: .exactly(["FORMAT", "FILE"]), summary: "make a manifest from another tool's list",
    example: "dlsync import aria2 downloads.txt > manifest.yaml",
    explanation: [
      "Prints a manifest that says what FILE says. Formats: aria2 (input files), metalink (4 and 3), sums (lists of"
        + " checksums), urls (one a line), curl (configuration files). \"-\" reads standard input.",
      "What a manifest cannot say is told on standard error. A name that leads out of the folder is an error, and so is"
        + " a URL that is none (exit status 2).",
    ])

  static func run(_ context: CommandContext) -> Int32 {
    do {
      let format = try ListConversion.format(context)
      let path = context.arguments[1]
      let list = try Workspace.importList(path, format, baseURL: context.settings.baseURL)
      ListConversion.show(list, format, path, context)
      return 0
    } catch {
      return context.fail(error)
    }
  }
}

/// What import and export have in common.
enum ListConversion {
  /// The format that the first argument names.
  static func format(_ context: CommandContext) throws(DLSyncError) -> ListFormat {
    let word = context.arguments[0]
    if let format = ListFormat(rawValue: word) { return format }
    let words = ListFormat.allCases.map(\.rawValue)
    let nearest = NearestName.of(word, among: words).map { "; did you mean \"\($0)\"?" } ?? ""
    throw DLSyncError(.usage, "the format \"\(word)\" is not known; it is \(UsageError.list(words, "or"))\(nearest)")
  }

  /// The text on standard output, what is lost on standard error.
  static func show(_ list: ConvertedList, _ format: ListFormat, _ path: String, _ context: CommandContext) {
    for loss in list.losses where !context.settings.isQuiet { context.warn(loss) }
    guard context.settings.format == .json else {
      context.output.write(context.outputTerminal.isTerminal ? TerminalText.escapedLines(list.text) : list.text)
      return
    }
    context.json.object {
      context.json.field("formatVersion", 1)
      context.json.field("command", context.command.rawValue)
      context.json.field("format", format.rawValue)
      context.json.field("file", path)
      context.json.field("text", list.text)
      context.json.field("losses", list.losses)
    }
    context.json.endLine()
  }
}
