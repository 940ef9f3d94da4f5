import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// `dlsync log`: what happened, and when.
enum LogCommand {
  static let guide = CommandGuide(
    arguments: .any("SELECTOR"), summary: "show what happened and when", example: "dlsync log --since 2h",
    explanation: [
      "Shows runs, their results, and the ends of tasks with their errors, oldest first, as the state keeps them: 90 days"
        + " and 100,000 lines. A run that found everything in place is not told of. Selectors show the lines of their tasks alone.",
      "Exit status: 0, 2 usage, 4 state; 129, 130, 143 where --follow is ended by a signal.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    do {
      let workspace = try context.workspace()
      switch try await SelectedTasks.selection(context.arguments, workspace, context, isOptional: true) {
      case .failure(let refusal): return refusal.status
      case .success(let selection): return try await show(selection, workspace, context)
      }
    } catch {
      return context.fail(error)
    }
  }

  private static func show(
    _ selection: TaskSelection, _ workspace: Workspace, _ context: CommandContext
  ) async throws(DLSyncError) -> Int32 {
    let settings = context.settings
    let since = settings.since.flatMap { MomentText.moment($0, now: .now) }
    var lines = try await workspace.log(selection, after: 0, since: since)
    let text = LogText(context)
    let document = LogDocument(json: context.json)
    guard settings.follows else {
      if !settings.isQuiet { for name in lines.unknown { context.say("nothing is logged for \"\(name)\"") } }
      switch settings.format {
      case .text where settings.isQuiet: break
      case .text: for line in lines.found { context.output.write(text.line(line)) }
      case .json: document.write(lines.found)
      case .ndjson: for line in lines.found { document.writeLine(line) }
      }
      return 0
    }
    let stop = StopRequest()
    context.signals.begin(stop)
    defer { context.signals.end() }
    // Nobody knows the end of what is followed: JSON comes one line an event.
    while true {
      for line in lines.found {
        if settings.format == .text { context.output.write(text.line(line)) } else { document.writeLine(line) }
      }
      context.output.flush()
      context.output.lookForReader()
      guard context.output.isOpen else { return 0 }
      if let signal = stop.signal { return 128 + signal }
      await context.executor.sleep(until: MonotonicInstant.now.advanced(by: 200_000_000))
      lines = try await workspace.log(selection, after: lines.last, since: since)
    }
  }
}
