import DLSyncModel

/// Manifests of one name on one command line: together they say which files of that name there are.
struct Namesakes {
  private var tasks: [Scope: Set<TaskID>] = [:]

  /// Looks at the files of those alone that share their name.
  init(_ manifests: [Manifest]) {
    for (scope, group) in Dictionary(grouping: manifests, by: \.scope) where group.count > 1 {
      tasks[scope] = Set(group.lazy.flatMap(\.files).map(\.id))
    }
  }

  /// What all manifests of this one's name ask for; empty where it is alone.
  func asked(with manifest: Manifest) -> Set<TaskID> { tasks[manifest.scope] ?? [] }
}
