import DLSyncKit
import DLSyncModel
import Glibc

/// `dlsync agent run|start|stop|status`: the worker behind background queues.
enum AgentCommand {
  static let guide = CommandGuide(
    arguments: .actions(["run", "start", "stop", "status"].map { .init(word: $0) }),
    summary: "control the background worker",
    example: "dlsync agent status",
    explanation: [
      "One agent a state folder fetches the files of background queues. \"apply\" starts it when it hands files over, and so"
        + " does any command that sees work waiting. It ends when nothing was left for --idle-exit.",
      "\"stop\" ends it and leaves everything resumable; nothing starts it again but \"start\" and the next apply. \"run\" is"
        + " the agent itself, in the foreground, for a service manager.",
      "Exit status: 0, 2 usage, 4 state.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    do {
      let workspace = try context.workspace()
      switch context.arguments[0] {
      case "run": return try await run(workspace, context)
      case "start": return show("running", try await workspace.startAgent(idleExit: context.settings.idleExit), context)
      case "stop": return show("stopped", try await workspace.stopAgent(), context)
      default: return try await status(workspace, context)
      }
    } catch {
      return context.fail(error)
    }
  }

  private static func run(_ workspace: Workspace, _ context: CommandContext) async throws(DLSyncError) -> Int32 {
    // The folder that the command was started in may be unmounted meanwhile.
    if workspace.stateFolder.hasPrefix("/") { chdir("/") }
    let stop = StopRequest()
    context.signals.begin(stop)
    defer { context.signals.end() }
    let log = try await workspace.agentStatus().log
    let voice = AgentVoice(environment: context.environment, log: log, executor: context.executor, stop: stop)
    let isOurs = try await workspace.runAgent(idleExit: context.settings.idleExit, stop: stop, listener: voice)
    if context.settings.format == .json {
      return show("running", isOurs ? nil : try await workspace.agentStatus().process, context, mayBeGone: true)
    }
    if !isOurs, !context.settings.isQuiet { context.people.write("Another process is the agent already.\n") }
    return 0
  }

  private static func show(
    _ word: String, _ process: Int32?, _ context: CommandContext, mayBeGone: Bool = false
  ) -> Int32 {
    if context.settings.format == .json {
      let json = context.json
      json.object {
        json.field("formatVersion", 1)
        json.field("command", CommandWord.agent.rawValue)
        json.field("action", context.arguments[0])
        json.field("process", process)
      }
      json.endLine()
    } else if !context.settings.isQuiet {
      let text = process.map { "The agent, process \($0), is \(word)." } ?? "No agent runs."
      context.output.write(text + "\n")
    }
    return word == "running" && process == nil && !mayBeGone ? 4 : 0
  }

  private static func status(_ workspace: Workspace, _ context: CommandContext) async throws(DLSyncError) -> Int32 {
    let status = try await workspace.agentStatus()
    if context.settings.format == .json {
      let json = context.json
      json.object {
        json.field("formatVersion", 1)
        json.field("command", CommandWord.agent.rawValue)
        json.field("action", "status")
        json.field("process", status.process)
        json.field("stopped", status.isStopped)
        json.field("hasWork", status.hasWork)
        json.field("log", status.log)
      }
      json.endLine()
      return 0
    }
    guard !context.settings.isQuiet else { return 0 }
    let work = status.hasWork ? "it has work" : "nothing is left for it"
    if let process = status.process {
      context.output.write("The agent runs as process \(process); \(work).\n")
    } else {
      let stopped = status.isStopped ? ", and was stopped" : ""
      context.output.write("No agent runs\(stopped); \(work).\n")
    }
    return 0
  }
}
