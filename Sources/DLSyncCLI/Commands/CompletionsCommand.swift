import DLSyncKit
import DLSyncModel

/// `dlsync completions`: the scripts for shells, and the answers that those ask for.
enum CompletionsCommand {
  static let guide = CommandGuide(
    arguments: .actions([
      .init(word: "bash"), .init(word: "zsh"), .init(word: "fish"), .init(word: "candidates", arguments: .any("WORD")),
    ]),
    summary: "print completions for a shell",
    example: "dlsync completions bash > ~/.local/share/bash-completion/dlsync",
    explanation: [
      "Prints a script that teaches a shell to complete commands, options, their values, queues, and tasks by destination"
        + " or short name. To try it: source <(dlsync completions bash), the same with zsh, or dlsync completions fish |"
        + " source.",
      "candidates is what the scripts ask: it prints what may stand in place of the last WORD, one a line.",
    ])

  /// A state with more tasks would keep people waiting for a key.
  private static let taskLimit = 20_000

  static func run(_ context: CommandContext) async -> Int32 {
    switch context.arguments[0] {
    case "bash": show(CompletionScript.bash, context)
    case "zsh": show(CompletionScript.zsh, context)
    case "fish": show(CompletionScript.fish, context)
    default: await answer(Array(context.arguments.dropFirst()), context)
    }
    return 0
  }

  private static func show(_ script: String, _ context: CommandContext) {
    guard context.settings.format == .json else {
      context.output.write(script)
      return
    }
    context.json.object {
      context.json.field("formatVersion", 1)
      context.json.field("command", CommandWord.completions.rawValue)
      context.json.field("text", script)
    }
    context.json.endLine()
  }

  /// Nobody sees an error while completing: what is not known is not offered.
  private static func answer(_ words: [String], _ context: CommandContext) async {
    var completer = Completer()
    if let state = try? await context.workspace().recordedNames(taskLimit: taskLimit) {
      completer.tasks = state.tasks
      completer.queues = Array(Set(state.queues.map(\.name.text))).sorted()
    }
    let answer = completer.complete(words)
    if context.settings.format == .json {
      context.json.object {
        context.json.field("formatVersion", 1)
        context.json.field("command", CommandWord.completions.rawValue)
        context.json.field("paths", answer.paths?.rawValue)
        context.json.field("candidates", answer.candidates) { candidate in
          context.json.object {
            context.json.field("text", candidate.text)
            context.json.field("explanation", candidate.explanation)
          }
        }
      }
      context.json.endLine()
      return
    }
    if let paths = answer.paths { context.output.write(":\(paths.rawValue)\n") }
    for candidate in answer.candidates {
      context.output.write("\(candidate.text)\t\(TerminalText.escaped(candidate.explanation))\n")
    }
  }
}
