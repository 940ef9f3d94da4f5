import DLSyncKit
import DLSyncModel

/// `dlsync export FORMAT MANIFEST`: another tool's list of a manifest.
enum ExportCommand {
  static let guide = CommandGuide(
    arguments: .exactly(["FORMAT", "MANIFEST"]), summary: "make another tool's list from a manifest",
    example: "dlsync export metalink manifest.yaml > files.meta4",
    explanation: [
      "Prints a list that says what the manifest says, as far as the format can: aria2, metalink (4), sums, urls, curl."
        + " Destinations are relative to root. What is lost is told on standard error.",
      "Variables are filled in, and headers are written as they are: the list may hold secrets.",
    ])

  static func run(_ context: CommandContext) -> Int32 {
    let path = context.arguments[1]
    let format: ListFormat
    do { format = try ListConversion.format(context) } catch { return context.fail(error) }
    do {
      let manifest = try context.workspaceWithoutState().load(path, variables: context.settings.variables)
      VariableNotice.warn(about: [manifest], context)
      ListConversion.show(Workspace.exportList(manifest, format), format, path, context)
      return 0
    } catch {
      LoadedManifests.refuse(error, path, context).writeIfAsked(context)
      return LoadedManifests.status
    }
  }
}
