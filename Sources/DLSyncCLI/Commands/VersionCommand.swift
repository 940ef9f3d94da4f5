/// `dlsync version`.
enum VersionCommand {
  static let guide = CommandGuide(
    summary: "print the version", example: "dlsync version", explanation: ["Prints the version."])

  static func run(_ context: CommandContext) -> Int32 {
    guard context.settings.format == .json else {
      context.output.write("dlsync \(CommandLineTool.version)\n")
      return 0
    }
    context.json.object {
      context.json.field("formatVersion", 1)
      context.json.field("command", CommandWord.version.rawValue)
      context.json.field("version", CommandLineTool.version)
    }
    context.json.endLine()
    return 0
  }
}
