import DLSyncKit
import DLSyncModel

/// `dlsync check`: reads manifests and reports every error.
enum CheckCommand {
  static let guide = CommandGuide(
    arguments: .some("MANIFEST"), summary: "read manifests and report every error",
    example: "dlsync check manifest.yaml",
    explanation: [
      "Reads manifests and reports every error with its place. Contacts nothing, writes nothing."
        + " \"-\" reads standard input."
    ])

  static func run(_ context: CommandContext) -> Int32 {
    let workspace = context.workspaceWithoutState()
    let envelope = DocumentEnvelope(context, count: context.arguments.count)
    var bad = 0
    var good: [Manifest] = []
    for path in context.arguments {
      do {
        let manifest = try workspace.load(path, variables: context.settings.variables)
        good.append(manifest)
        show(manifest, path, envelope, context)
      } catch {
        bad += 1
        let failure = LoadedManifests.refuse(error, path, context)
        envelope.add { failure.write(to: $0) }
      }
    }
    if bad == 0 { VariableNotice.warn(about: good, context) }
    let status = bad == 0 ? 0 : LoadedManifests.status
    envelope.close(exitStatus: status) { json in
      json.field("total", context.arguments.count)
      json.field("invalid", bad)
    }
    return status
  }

  private static func show(
    _ manifest: Manifest, _ path: String, _ envelope: DocumentEnvelope, _ context: CommandContext
  ) {
    if context.settings.format == .text, !context.settings.isQuiet {
      let files = manifest.files.count == 1 ? "1 file" : "\(manifest.files.count) files"
      let palette = context.outputTerminal.palette
      context.output.write("\(TerminalText.escaped(path)): \(palette.green("ok")), \(files)\n")
    }
    envelope.add { json in
      json.object {
        json.field("formatVersion", 1)
        json.field("command", CommandWord.check.rawValue)
        json.field("scope", manifest.scope.text)
        json.field("manifest", path)
        json.field("fileCount", manifest.files.count)
        json.field("queueCount", manifest.queues.count)
        json.field("diagnostics", [String]())
        json.field("exitStatus", 0)
      }
    }
  }
}
