import DLSyncKit
import DLSyncModel
import Glibc

/// The recorded tasks that a command line means.
enum SelectedTasks {
  /// What selectors and options say; without any of them nothing is meant, unless `isOptional`.
  static func selection(
    _ names: [String], _ workspace: Workspace, _ context: CommandContext, isOptional: Bool = false
  ) async throws(DLSyncError) -> Result<TaskSelection, LoadedManifests.Refusal> {
    let settings = context.settings
    let isNarrowed = !settings.queues.isEmpty || !settings.manifests.isEmpty
    guard isOptional || !names.isEmpty || isNarrowed || settings.selectsAll else {
      let error = DLSyncError(
        .usage,
        "\"\(context.command.rawValue)\" needs to know which tasks: dlsync \(context.command.rawValue) SELECTOR…",
        hint: "a selector is an id, a URL, a destination or a pattern; --all takes every task")
      return .failure(LoadedManifests.Refusal(status: context.fail(error)))
    }
    var selection = TaskSelection(workingFolder: workingFolder)
    selection.names = names
    selection.queues = settings.queues
    if !settings.manifests.isEmpty {
      switch try await NamedScopes.find(settings.manifests, workspace, context) {
      case .failure(let refusal): return .failure(refusal)
      case .success(let scopes): selection.scopes = scopes
      }
    }
    return .success(selection)
  }

  private static var workingFolder: String {
    guard let folder = getcwd(nil, 0) else { return "/" }
    defer { free(folder) }
    return String(cString: folder)
  }
}
