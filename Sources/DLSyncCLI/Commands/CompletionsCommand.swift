import DLSyncKit
import DLSyncModel
import Glibc

/// `dlsync completions`: the scripts for shells, and the answers that those ask for.
enum CompletionsCommand {
  static let guide = CommandGuide(
    arguments: .actions([
      .init(word: "bash"), .init(word: "zsh"), .init(word: "fish"), .init(word: "candidates", arguments: .any("WORD")),
    ]),
    summary: "print completions for a shell",
    example: "source <(dlsync completions bash)",
    explanation: [
      "Prints a script that teaches a shell to complete commands, options, their values, queues and tags, and tasks by"
        + " destination or short name.",
      "To try it: source <(dlsync completions bash), the same with zsh, or dlsync completions fish | source. To keep it:"
        + " write it to ~/.local/share/bash-completion/completions/dlsync, to _dlsync in a folder of zsh's fpath, or to"
        + " ~/.config/fish/completions/dlsync.fish.",
      "candidates is what the scripts ask: it prints what may stand in place of the last WORD, one a line.",
    ])

  /// A state with more tasks would keep people waiting for a key.
  private static let taskLimit = 20_000
  /// So would a manifest with more bytes, or more manifests.
  private static let manifestLimit = 1 << 20
  private static let manifestsAtMost = 16

  static func run(_ context: CommandContext) async -> Int32 {
    switch context.arguments[0] {
    case "bash": show(CompletionScript.bash, context)
    case "zsh": show(CompletionScript.zsh, context)
    case "fish": show(CompletionScript.fish, context)
    default: await answer(Array(context.arguments.dropFirst()), context)
    }
    return 0
  }

  /// Offers what these manifests declare, as far as they can be read.
  private static func declare(_ manifests: [String], to completer: inout Completer, _ context: CommandContext) {
    let workspace = context.workspaceWithoutState()
    var (tags, queues) = (Set<String>(), Set(completer.queues))
    for path in manifests.prefix(manifestsAtMost) {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= manifestLimit,
        let manifest = try? workspace.load(path, variables: context.settings.variables)
      else { continue }
      queues.formUnion(manifest.queues.map(\.name.text))
      for file in manifest.files { tags.formUnion(file.options.settings.tags) }
    }
    completer.tags = tags.sorted()
    completer.queues = queues.sorted()
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
    var recorded: [String] = []
    if let state = try? await context.workspace().recordedNames(taskLimit: taskLimit) {
      completer.tasks = state.tasks
      completer.queues = Array(Set(state.queues.map(\.name.text))).sorted()
      // A manifest without a name is known by its path.
      recorded = Array(Set(state.queues.map(\.scope.text).filter { $0.hasPrefix("/") })).sorted()
    }
    if let named = completer.manifests(behind: words) {
      declare(named.isEmpty ? recorded : named, to: &completer, context)
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
