import DLSyncKit
import DLSyncModel
import Glibc

/// The scopes that `--manifest` means.
enum NamedScopes {
  /// Of a manifest that is there, its own. One that is gone, or was renamed, is meant by the name or the path that the
  /// state has of it. Anything else is read as a manifest, which says what is wrong.
  static func find(
    _ names: [String], _ workspace: Workspace, _ context: CommandContext
  ) async throws(DLSyncError) -> Result<[Scope], LoadedManifests.Refusal> {
    let gone = names.filter { $0 != "-" && access($0, F_OK) != 0 && errno == ENOENT }
    let recorded = gone.isEmpty ? [] : try await workspace.recordedScopes()
    var scopes: [Scope] = []
    var paths: [String] = []
    for name in names {
      let meant = gone.contains(name) ? [name, absolute(name)].map { Scope($0) } : []
      if let scope = meant.first(where: recorded.contains) { scopes.append(scope) } else { paths.append(name) }
    }
    return LoadedManifests.load(context, workspace, paths: paths).map { scopes + $0.map(\.scope) }
  }

  /// The absolute path that a file of this name would have, links on the way resolved.
  private static func absolute(_ path: String) -> String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? "."
    guard let resolved = realpath(folder, nil) else { return path }
    defer { free(resolved) }
    let parent = String(cString: resolved)
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    return parent == "/" ? "/" + name : parent + "/" + name
  }
}
