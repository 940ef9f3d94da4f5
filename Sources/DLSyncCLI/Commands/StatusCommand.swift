import DLSyncKit
import DLSyncModel

/// `dlsync status`: what is recorded, and what runs.
enum StatusCommand {
  static let guide = CommandGuide(
    arguments: .any("MANIFEST"), summary: "show tasks and queues as recorded", example: "dlsync status",
    explanation: [
      "Shows every recorded task, or those of the manifests: its state, its progress, its last error.",
      "With --watch a terminal keeps showing the present state, until a signal comes; elsewhere one JSON line or one line"
        + " of sums comes with every change, at most twice a second.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    await LoadedManifests.use(context) { manifests, workspace, context throws(DLSyncError) in
      if context.settings.watches { return try await StatusWatch(context, workspace, manifests).run() }
      show(try await workspace.status(of: manifests), context)
      return 0
    }
  }

  private static func show(_ snapshot: StatusSnapshot, _ context: CommandContext) {
    if context.settings.format == .json {
      StatusDocument(tasks: snapshot.tasks, queues: snapshot.queues).write(to: context.json)
      context.json.endLine()
    } else if !context.settings.isQuiet {
      StatusText(context).write(snapshot.tasks, snapshot.queues, to: context.output)
    }
  }
}
