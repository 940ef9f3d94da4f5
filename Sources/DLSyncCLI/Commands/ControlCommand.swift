import DLSyncKit
import DLSyncModel

/// `dlsync pause`, `resume`, `cancel`, `restart`, `remove`, `priority`, `reorder` and `headers`: commands to recorded
/// tasks, whichever process runs them.
enum ControlCommand {
  static func guide(of command: CommandWord) -> CommandGuide {
    let example: String
    var arguments = CommandWord.Arguments.any("SELECTOR")
    switch command {
    case .pause: example = "dlsync pause 'models/*'"
    case .resume: example = "dlsync resume --queue large"
    case .cancel: example = "dlsync cancel 5b1f0c2a9d3e"
    case .restart: example = "dlsync restart https://example.org/model.bin"
    case .remove: example = "dlsync remove --manifest old.yaml --delete-file"
    case .priority:
      example = "dlsync priority 0.9 model.bin"
      arguments = .some("VALUE SELECTOR")
    case .reorder:
      example = "dlsync reorder c.bin a.bin b.bin"
      arguments = .some("SELECTOR")
    default: example = "dlsync headers model.bin --header 'Authorization: Bearer …'"
    }
    return CommandGuide(
      arguments: arguments, summary: summary(of: command), example: example,
      explanation: [
        effect(of: command),
        "A selector is an id, a URL, a destination or a pattern; --queue and --manifest narrow, --all takes every task."
          + " Tasks that another process runs are reached as well, within half a second.",
        "Exit status: 0 done, 1 a task refused or none is known by a name, 2 usage, 4 state.",
      ])
  }

  private static func summary(of command: CommandWord) -> String {
    switch command {
    case .pause: "hold tasks back"
    case .resume: "release held and failed tasks"
    case .cancel: "end tasks and drop their partial data"
    case .restart: "start tasks again from the first byte"
    case .remove: "forget tasks"
    case .priority: "change which task comes first"
    case .reorder: "change the order among equals"
    default: "give failed background tasks new request headers"
    }
  }

  private static func effect(of command: CommandWord) -> String {
    switch command {
    case .pause: "Holds tasks back until they are resumed; what was fetched is kept. Later runs leave them alone."
    case .resume: "Releases held and failed tasks: the process that runs them, or the next apply, goes on with them."
    case .cancel:
      "Ends tasks and drops their partial data. Published files stay, and so does the claim on the destination, until the"
        + " task is removed."
    case .restart: "Drops the partial data of held, failed and canceled tasks; they begin anew."
    case .remove:
      "Forgets tasks and drops their partial data. The published file stays; --delete-file deletes it where its bytes are"
        + " still those that were published."
    case .priority: "Sets the priority, 0 to 1, of tasks that have not ended, until they have. Higher goes first."
    case .reorder: "Takes every task of one queue, each once: tasks of equal priority go in this order."
    default:
      "Replaces the request headers of held, failed and canceled tasks of background queues; their partial data is"
        + " dropped. Those of foreground queues stand in the manifest."
    }
  }

  static func run(_ context: CommandContext) async -> Int32 {
    do {
      let workspace = try context.workspace()
      var names = context.arguments
      let command = try command(context, &names)
      switch try await SelectedTasks.selection(names, workspace, context) {
      case .failure(let refusal): return refusal.status
      case .success(let selection):
        let results =
          if let command { try await workspace.command(command, to: selection) } else {
            try await workspace.reorder(selection)
          }
        return show(results, context)
      }
    } catch {
      return context.fail(error)
    }
  }

  /// What is asked of each task; nil where their order is asked for. Takes the arguments away that are no selectors.
  private static func command(_ context: CommandContext, _ names: inout [String]) throws(DLSyncError) -> TaskCommand? {
    switch context.command {
    case .pause: return .pause
    case .resume: return .resume
    case .cancel: return .cancel
    case .restart: return .restart
    case .remove: return .remove(deletesFile: context.settings.deletesFile)
    case .priority:
      guard let text = names.first, let value = NumberText.decimal(text), (0...1).contains(value) else {
        throw DLSyncError(.usage, "\"priority\" needs a number from 0 to 1 first: dlsync priority 0.9 SELECTOR…")
      }
      names.removeFirst()
      return .priority(value)
    case .headers:
      guard !context.settings.headers.isEmpty else {
        throw DLSyncError(.usage, "\"headers\" needs --header 'Name: value'", hint: "give every header that is wanted")
      }
      return .headers(context.settings.headers)
    default: return nil
    }
  }

  private static func show(_ results: [CommandResult], _ context: CommandContext) -> Int32 {
    let failures = results.filter { $0.error != nil }
    for result in failures {
      guard let error = result.error else { continue }
      // A selector that fits nothing stands in the message.
      let name = result.id.map { "\($0) \"\(result.name)\": " } ?? ""
      context.report(DLSyncError(error.code, "\(name)\(error.message)", hint: error.hint))
    }
    let status: Int32 = failures.isEmpty ? 0 : 1
    if context.settings.format == .json {
      ControlDocument(command: context.command, results: results).write(to: context.json, exitStatus: status)
    } else if !context.settings.isQuiet {
      let done = results.count - failures.count
      let failed = failures.isEmpty ? "" : ", \(failures.count) refused"
      context.output.write("\(context.command.rawValue): \(Wording.count(done, "task", "tasks"))\(failed).\n")
    }
    return status
  }
}
