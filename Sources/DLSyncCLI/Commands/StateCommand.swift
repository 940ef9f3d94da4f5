import DLSyncKit
import DLSyncModel

/// `dlsync state path`: where the state is.
enum StateCommand {
  static let guide = CommandGuide(
    arguments: .exactly(["path"]), summary: "show where the state is", example: "dlsync state path",
    explanation: [
      "Prints the folder of the state: --state, else DLSYNC_STATE, else $XDG_STATE_HOME/dlsync, else"
        + " ~/.local/state/dlsync. It need not exist yet."
    ])

  static func run(_ context: CommandContext) -> Int32 {
    guard context.arguments == ["path"] else {
      return context.fail(UsageError.extraArgument(command: "state", argument: context.arguments[0]).asError)
    }
    do {
      let folder = try context.workspace().stateFolder
      if context.settings.format == .json {
        context.json.object {
          context.json.field("formatVersion", 1)
          context.json.field("command", CommandWord.state.rawValue)
          context.json.field("path", folder)
        }
        context.json.endLine()
      } else {
        context.output.write(folder + "\n")
      }
      return 0
    } catch {
      return context.fail(error)
    }
  }
}
