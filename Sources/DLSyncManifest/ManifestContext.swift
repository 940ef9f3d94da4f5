import DLSyncModel

/// Everything that a manifest means depends on beside its own text.
package struct ManifestContext: Sendable {
  /// The file as the user named it; `-` is standard input.
  package let source: String
  /// The file's absolute path without links. It is the scope of a manifest without a name, and its folder is where `root`
  /// begins.
  package let canonicalPath: String
  /// Whether it has no path to be known by, so that its manifest must have a name.
  package let isUnnamed: Bool
  /// The process's environment: `${env:NAME}`, and `HOME` for `~`.
  package let environment: [String: String]
  /// What `--var NAME=VALUE` gave.
  package let variables: [String: String]
  /// The folder that files with `managed: true` live in, an absolute path.
  package let managedFolder: String
  /// Opens the lists of `filesFrom`; nil leaves them unread.
  package let openList: ListOpener?
  /// Whether entries that stand plainly are read without libyaml, and usual ones packed as they are written. What comes of it
  /// is the same.
  package var readsPlainEntries = true

  /// Takes every part.
  package init(
    source: String, canonicalPath: String, isUnnamed: Bool = false, environment: [String: String] = [:],
    variables: [String: String] = [:],
    managedFolder: String = "/", openList: ListOpener? = nil
  ) {
    self.source = source
    self.canonicalPath = canonicalPath
    self.isUnnamed = isUnnamed || source == "-"
    self.environment = environment
    self.variables = variables
    self.managedFolder = managedFolder
    self.openList = openList
  }

  /// The folder of the manifest.
  var folder: String { canonicalPath.parentPath }
}
