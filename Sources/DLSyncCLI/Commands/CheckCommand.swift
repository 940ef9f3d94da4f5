import DLSyncKit
import DLSyncModel

/// `dlsync check`: reads manifests and reports every error.
enum CheckCommand {
  static let guide = CommandGuide(
    arguments: .some("MANIFEST"), summary: "read manifests and report every error",
    example: "dlsync check manifest.yaml",
    explanation: [
      "Reads manifests and reports every error with its place, and every conflict between their own files. Contacts"
        + " nothing, writes nothing. \"-\" reads standard input.",
      "Exit status: 0 the manifests are right (conflicts are left to plan and apply), 2 usage or manifest.",
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
        let clashes = Workspace.clashes(in: manifest)
        show(manifest, clashes, path, envelope, context)
      } catch {
        bad += 1
        let failure = LoadedManifests.refuse(error, path, context)
        envelope.add { failure.write(to: $0) }
      }
    }
    if bad == 0 { VariableNotice.warn(about: good, context) }
    let status = bad > 0 ? LoadedManifests.status : 0
    envelope.close(exitStatus: status) { json in
      json.field("total", context.arguments.count)
      json.field("invalid", bad)
    }
    return status
  }

  private static func show(
    _ manifest: Manifest, _ clashes: [FilePlan], _ path: String, _ envelope: DocumentEnvelope, _ context: CommandContext
  ) {
    if context.settings.format == .text { say(manifest, clashes, path, context) }
    envelope.add { json in
      json.object {
        json.field("formatVersion", 1)
        json.field("command", CommandWord.check.rawValue)
        json.field("scope", manifest.scope.text)
        json.field("manifest", path)
        json.field("fileCount", manifest.files.count)
        json.field("queueCount", manifest.queues.count)
        json.field("diagnostics", [String]())
        json.field("conflicts", clashes) { file in
          json.object {
            json.field("id", file.entry.id)
            json.field("destination", file.entry.destination.path)
            json.field("error", file.error)
          }
        }
        json.field("exitStatus", 0)
      }
    }
  }

  private static func say(_ manifest: Manifest, _ clashes: [FilePlan], _ path: String, _ context: CommandContext) {
    let terminal = context.peopleTerminal
    let plan = Plan(scope: manifest.scope, source: path, queues: [], files: clashes, orphans: [])
    let table = PlanTable(plan, [.conflict], palette: terminal.palette, columns: terminal.columns)
    for file in clashes { context.people.write(table.line(file, .conflict)) }
    guard !context.settings.isQuiet else { return }
    let palette = context.outputTerminal.palette
    let verdict =
      clashes.isEmpty ? palette.green("ok") : palette.red(Wording.count(clashes.count, "conflict", "conflicts"))
    let files = Wording.count(manifest.files.count, "file", "files")
    context.output.write("\(TerminalText.escaped(path)): \(verdict), \(files)\n")
  }
}
