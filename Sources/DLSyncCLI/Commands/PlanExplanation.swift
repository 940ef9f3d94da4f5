import DLSyncKit
import DLSyncModel

/// `dlsync plan --explain DEST`: what is decided of one file, every value that counts for it, and where each comes from.
struct PlanExplanation {
  private let destination: String
  private let workspace: Workspace
  private let context: CommandContext

  init(_ destination: String, _ workspace: Workspace, _ context: CommandContext) {
    self.destination = destination
    self.workspace = workspace
    self.context = context
  }

  func run(_ manifests: [Manifest]) async throws(DLSyncError) -> Int32 {
    var found: [(manifest: Manifest, explanation: Explanation, plan: FilePlan?)] = []
    for (manifest, path) in zip(manifests, context.arguments) {
      let explanations = try explain(path)
      guard !explanations.isEmpty else { continue }
      let plan = try await workspace.plan(manifest, context.settings.planOptions)
      for explanation in explanations {
        found.append((manifest, explanation, plan.files.first { $0.entry.id == explanation.entry.id }))
      }
    }
    guard !found.isEmpty else { throw missing(manifests) }
    if context.settings.format == .text {
      for one in found { write(one.explanation, one.plan) }
    } else {
      writeJSON(found)
    }
    return 0
  }

  private func explain(_ path: String) throws(DLSyncError) -> [Explanation] {
    guard !Workspace.isReadOnce(path) else {
      throw DLSyncError(
        .usage, "a manifest from \(path == "-" ? "standard input" : "a pipe") cannot be explained: it is read twice",
        hint: "give it as a file")
    }
    do throws(ManifestLoadFailure) {
      let explanations = try workspace.explain(destination, in: path, variables: context.settings.variables)
      return explanations.map(addingOptions)
    } catch {
      switch error {
      case .unreadable(let error): throw error
      case .invalid(let error): throw error.summary
      }
    }
  }

  /// What the command line says instead of the manifest.
  private func addingOptions(_ explanation: Explanation) -> Explanation {
    var explanation = explanation
    func override(_ key: String, _ value: String, by option: String) {
      guard let index = explanation.values.firstIndex(where: { $0.key == key }) else { return }
      explanation.values[index] = ExplainedValue(key, value, .option, name: option)
    }
    if let policy = context.settings.onConflict { override("onConflict", policy.rawValue, by: "--on-conflict") }
    if context.settings.refreshes { override("refresh", "always", by: "--refresh") }
    return explanation
  }

  private func missing(_ manifests: [Manifest]) -> DLSyncError {
    let names = manifests.flatMap(\.files).lazy.map(\.destination.relativePath)
    let nearest = NearestName.of(destination, among: Array(names.prefix(10_000)))
    return DLSyncError(
      .usage, "no file has the destination \"\(destination)\"",
      hint: nearest.map { "did you mean \"\($0)\"?" }
        ?? "write it as the manifest does, below root, as a whole path, or give the URL")
  }

  // MARK: Text

  private func write(_ explanation: Explanation, _ plan: FilePlan?) {
    let palette = context.outputTerminal.palette
    let name = TerminalText.escaped(explanation.entry.destination.relativePath)
    context.output.write("\(palette.bold(name))  \(palette.dim(TerminalText.escaped("\(explanation.location)")))\n")
    let decision = plan.map { "\($0.action.rawValue), \($0.reason.rawValue)" } ?? "not selected"
    context.output.write("plan: \(decision)\n\n")
    let width = explanation.values.map(\.key.count).max() ?? 0
    let valueWidth = min(48, explanation.values.compactMap(\.value).map(CharacterWidth.of).max() ?? 0)
    for value in explanation.values {
      let text = Fitting.padded(TerminalText.escaped(value.value ?? "-"), columns: valueWidth)
      let line = "\(Fitting.padded(TerminalText.escaped(value.key), columns: width))  \(text)  "
      context.output.write(line + palette.dim(TerminalText.escaped(Self.words(value))) + "\n")
    }
    context.output.write("\n")
  }

  /// `defaults, manifest.yaml:4:13; ${release} of vars, line 3`.
  private static func words(_ value: ExplainedValue) -> String {
    var words =
      switch value.origin {
      case .manifest, .list: value.location.map { "\($0)" } ?? "manifest"
      case .defaults: "defaults"
      case .listDefaults: "filesFrom"
      case .lock: "lock file" + (value.name.map { " \($0)" } ?? "")
      case .environment: "environment" + (value.name.map { " \($0)" } ?? "")
      case .option: value.name ?? "option"
      case .derived: "from the URL"
      case .builtIn: "built in"
      }
    if let place = value.location, ![.manifest, .list].contains(value.origin) { words += ", \(place)" }
    for variable in value.variables {
      words += "; ${\(variable.name)}: "
      switch variable.origin {
      case .vars: words += "vars" + (variable.line.map { ", line \($0)" } ?? "")
      case .matrix: words += "matrix"
      case .environment: words += "environment"
      case .option: words += "--var"
      case .fallback: words += "its default"
      }
    }
    return words
  }

  // MARK: JSON

  private func writeJSON(_ found: [(manifest: Manifest, explanation: Explanation, plan: FilePlan?)]) {
    let json = context.json
    json.object {
      json.field("formatVersion", 1)
      json.field("command", CommandWord.plan.rawValue)
      json.field("explanations", found) { one in
        json.object {
          json.field("scope", one.manifest.scope.text)
          json.field("manifest", one.manifest.source)
          json.field("id", one.explanation.entry.id)
          json.field("destination", one.explanation.entry.destination.path)
          Self.write(one.explanation.location, to: json)
          json.field("action", one.plan?.action.rawValue)
          json.field("reason", one.plan?.reason.rawValue)
          json.field("values", one.explanation.values) { value in
            json.object { Self.write(value, to: json) }
          }
        }
      }
      json.field("exitStatus", 0)
    }
    json.endLine()
  }

  private static func write(_ value: ExplainedValue, to json: JSONWriter) {
    json.field("key", value.key)
    json.field("value", value.value)
    json.field("origin", value.origin.rawValue)
    json.field("name", value.name)
    write(value.location, to: json)
    json.field("variables", value.variables) { variable in
      json.object {
        json.field("name", variable.name)
        json.field("origin", variable.origin.rawValue)
        json.field("line", variable.line)
      }
    }
  }

  private static func write(_ location: SourceLocation?, to json: JSONWriter) {
    json.field("file", location?.file)
    json.field("line", location?.line)
    json.field("column", location?.column)
  }
}
