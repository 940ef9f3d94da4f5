import DLSyncKit
import DLSyncModel

/// `dlsync wait`: until tasks end; then their paths.
enum WaitCommand {
  static let guide = CommandGuide(
    arguments: .any("SELECTOR"), summary: "wait until tasks end; print the final paths",
    example: "dlsync wait --queue large",
    explanation: [
      "Waits until the tasks (all, where none is selected) have ended, or nothing is at work on them, and prints the paths"
        + " of the completed ones.",
      "Exit status: 0 every task is completed, 1 one is not, 2 usage, 4 state; 129, 130, 143 ended by a signal, which disturbs"
        + " no transfer.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    do {
      let workspace = try context.workspace()
      switch try await SelectedTasks.selection(context.arguments, workspace, context, isOptional: true) {
      case .failure(let refusal): return refusal.status
      case .success(let selection):
        let stop = StopRequest()
        context.signals.begin(stop)
        defer { context.signals.end() }
        return show(try await workspace.wait(for: selection, stop: stop), context)
      }
    } catch {
      return context.fail(error)
    }
  }

  private static func show(_ result: WaitResult, _ context: CommandContext) -> Int32 {
    for name in result.unknown { context.report(.taskNotFound(name)) }
    for task in result.tasks where task.state != .completed { say(task, context) }
    if context.settings.format == .json {
      let json = context.json
      json.object {
        json.field("formatVersion", 1)
        json.field("command", CommandWord.wait.rawValue)
        json.field("tasks", result.tasks) { task in
          json.object {
            json.field("id", task.id)
            json.field("destination", task.destination)
            json.field("state", task.state.rawValue)
            json.field("error", task.error)
          }
        }
        json.field("unknown", result.unknown)
        json.field("exitStatus", result.exitStatus)
      }
      json.endLine()
    } else {
      for task in result.tasks where task.state == .completed { context.write(path: task.destination) }
    }
    return result.exitStatus
  }

  /// Why a task is not completed.
  private static func say(_ task: TaskSnapshot, _ context: CommandContext) {
    let path = "\"\(task.destination)\""
    if let error = task.error, task.state == .failed {
      context.report(DLSyncError(error.code, "\(path): \(error.message)", hint: error.hint))
    } else if task.state == .waiting {
      context.report(
        DLSyncError(.interrupted, "\(path) waits, and nothing runs it", hint: hint(task)), showsCode: false)
    } else {
      context.report(DLSyncError(.interrupted, "\(path) is \(task.state.rawValue)"), showsCode: false)
    }
  }

  /// What goes on with a task that waits.
  private static func hint(_ task: TaskSnapshot) -> String {
    if task.scope == Workspace.singleFiles { return "the same dlsync get goes on with it" }
    return task.isBackground
      ? "dlsync agent start goes on with it" : "dlsync apply with its manifest goes on with it"
  }
}
