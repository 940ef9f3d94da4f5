internal import DLSyncManifest
public import DLSyncModel

extension Manifest {
  /// Reads and checks a manifest, the lists of its `filesFrom` and the lock file beside it, if there is one. Contacts nothing,
  /// writes nothing.
  ///
  /// ```swift
  /// let manifest = try Manifest.load("manifest.yaml", variables: ["release": "1.4.0"], in: workspace)
  /// ```
  ///
  /// `path` is a file, or `-` for standard input. `variables` go before those that the manifest declares. Throws every error
  /// of the text, with line and column.
  public static func load(
    _ path: String, variables: [String: String] = [:], in workspace: Workspace
  ) throws(ManifestLoadFailure) -> Manifest {
    try workspace.load(path, variables: variables)
  }
}

extension Workspace {
  /// Whether a manifest can name a variable so: letters, digits, `_`, `-` and `.`, at least one.
  public static func isVariable(_ name: String) -> Bool { VariableName.isName(name) }
}
