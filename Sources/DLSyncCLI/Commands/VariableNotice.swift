import DLSyncModel

/// Says when `--var` sets what no manifest knows: most often a name with a mistake in it.
enum VariableNotice {
  static func warn(about manifests: [Manifest], _ context: CommandContext) {
    guard !manifests.isEmpty, !context.settings.isQuiet else { return }
    let known = manifests.reduce(into: Set<String>()) { $0.formUnion($1.variableNames) }
    for name in context.settings.variables.keys.sorted() where !known.contains(name) {
      let nearest = NearestName.slip(name, among: known.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
      context.warn("no manifest mentions the variable \"\(name)\" that --var sets\(nearest)")
    }
  }
}
