import DLSyncModel

/// Manifests of one name on one command line: together they say which files of that name there are.
struct Namesakes {
  private var destinations: [Scope: Set<BytewiseText>] = [:]

  /// Looks at the files of those alone that share their name.
  init(_ manifests: [Manifest]) {
    for (scope, group) in Dictionary(grouping: manifests, by: \.scope) where group.count > 1 {
      destinations[scope] = Set(group.lazy.flatMap(\.files).map { BytewiseText($0.destination.path) })
    }
  }

  /// Where all manifests of this one's name want files; empty where it is alone.
  func places(with manifest: Manifest) -> Set<BytewiseText> { destinations[manifest.scope] ?? [] }
}
