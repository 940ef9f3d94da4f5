/// `dlsync help [COMMAND]` and `--help`.
enum HelpCommand {
  static let guide = CommandGuide(
    arguments: .one("COMMAND"), summary: "explain a command", example: "dlsync help apply",
    explanation: ["Explains a command, or lists the commands."])

  static func run(_ context: CommandContext) -> Int32 {
    guard let name = context.arguments.first else { return show(HelpPage.overview, context) }
    guard let word = CommandWord(rawValue: name) else {
      return context.fail(UsageError.notACommand(name).asError)
    }
    return show(HelpPage.page(of: word), context)
  }

  private static func show(_ page: String, _ context: CommandContext) -> Int32 {
    guard context.settings.format == .json else {
      context.output.write(page)
      return 0
    }
    context.json.object {
      context.json.field("formatVersion", 1)
      context.json.field("command", CommandWord.help.rawValue)
      context.json.field("text", page)
    }
    context.json.endLine()
    return 0
  }
}
