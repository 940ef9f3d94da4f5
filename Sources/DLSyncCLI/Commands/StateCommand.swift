import DLSyncKit
import DLSyncModel

/// `dlsync state`: whether the state is sound, a new one in place of a damaged one, and where it is.
enum StateCommand {
  static let guide = CommandGuide(
    arguments: .actions([
      .init(word: "check"), .init(word: "rebuild", arguments: .some("MANIFEST")), .init(word: "path"),
    ]),
    summary: "check, rebuild or locate the state", example: "dlsync state check",
    explanation: [
      "check looks at the whole state: whether the database is sound, who may read it, and partial data that no run will"
        + " go on with. It changes nothing.",
      "rebuild makes a new state from manifests and the files on disk, without fetching anything; the old one is moved"
        + " aside, never deleted. Name all your manifests: what belongs to others is forgotten, and named. Files that neither a checksum nor the old state vouches for count as dlsync's"
        + " afterwards, as they are; it lists them.",
      "path prints the folder of the state: --state, else DLSYNC_STATE, else $XDG_STATE_HOME/dlsync, else"
        + " ~/.local/state/dlsync. It need not exist yet.",
      "Exit status: 0 the state is sound, 1 something should be mended, 2 usage or manifest, 4 the state cannot be used.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    do {
      let workspace = try context.workspace()
      switch context.arguments[0] {
      case "check": return await check(workspace, context)
      case "rebuild": return try await rebuild(workspace, context)
      default: return path(workspace, context)
      }
    } catch {
      return context.fail(error)
    }
  }

  private static func check(_ workspace: Workspace, _ context: CommandContext) async -> Int32 {
    let report = await workspace.checkState()
    if context.settings.format == .json {
      StateDocument.write(report, to: context.json)
    } else {
      StateText(context).write(report, to: context.people)
    }
    return report.exitStatus
  }

  private static func rebuild(_ workspace: Workspace, _ context: CommandContext) async throws(DLSyncError) -> Int32 {
    let manifests: [Manifest]
    switch LoadedManifests.load(context, workspace, paths: Array(context.arguments.dropFirst())) {
    case .failure(let refusal): return refusal.status
    case .success(let loaded): manifests = loaded
    }
    let result = try await workspace.rebuildState(manifests)
    if context.settings.format == .json {
      StateDocument.write(result, to: context.json)
    } else if !context.settings.isQuiet {
      StateText(context).write(result, to: context.output)
    }
    return 0
  }

  private static func path(_ workspace: Workspace, _ context: CommandContext) -> Int32 {
    if context.settings.format == .json {
      StateDocument.write(path: workspace.stateFolder, to: context.json)
    } else {
      context.write(path: workspace.stateFolder)
    }
    return 0
  }
}
