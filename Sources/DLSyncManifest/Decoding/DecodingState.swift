import DLSyncModel

/// Where a decoding stands: the errors so far, the place within the manifest, the variables, and how much aliases may
/// still expand to. Decoders of single keys get it handed.
final class DecodingState {
  enum PathStep {
    case key(String)
    case index(Int)
  }

  let context: ManifestContext
  var problems: ProblemList
  /// What `${NAME}` means.
  var variables: VariableTable
  /// What the top level says; nil while it is being read itself.
  var head: Head?
  /// The manifest is of another version: nothing else can be said of it.
  var otherVersion = false
  /// Set while a list is read, whose texts are what they are: `${` means nothing in them.
  var isLiteral = false
  /// Objects for equal settings of files.
  var options = OptionsPool()
  var aliases = AliasBudget()
  /// Set where somebody wants to know what was read where.
  let trace: Trace?
  private var path: [PathStep] = []

  init(_ context: ManifestContext, _ problems: ProblemList, _ trace: Trace? = nil) {
    self.context = context
    self.trace = trace
    self.problems = problems
    variables = VariableTable(context)
  }

  /// Does something one step further down.
  func descend<R>(_ step: PathStep, _ body: () -> R) -> R {
    path.append(step)
    defer { path.removeLast() }
    return body()
  }

  /// The place within the manifest: `files[3].checksum`.
  var pathText: String {
    path.reduce(into: "") { text, step in
      switch step {
      case .key(let key): text += (text.isEmpty ? "" : ".") + Quote.short(key)
      case .index(let index): text += "[\(index)]"
      }
    }
  }

  /// Notes an error at a node. `isCertain` is false when the rest of the document might settle it.
  func report(_ node: NodeRef, _ message: String, hint: String? = nil, isCertain: Bool = true) {
    problems.report(node.place, path: pathText, message, hint: hint, isCertain: isCertain)
  }

  /// The node itself, or what it refers to. Everything that looks into an alias comes through here and pays for it.
  func resolved(_ node: NodeRef) -> NodeRef {
    guard node.kind == .alias else { return node }
    let target = node.target
    return affords(target.count, at: node) ? target : AliasBudget.nothing
  }

  /// Pays for so many parts; says so where that is too much.
  func affords(_ parts: Int, at node: NodeRef) -> Bool {
    if aliases.spend(parts) { return true }
    if aliases.isExhausted.take() {
      report(
        node, "aliases expand this document to more than \(aliases.limit) parts; nothing behind this was read",
        hint: "write the parts out, or give common values under `defaults`")
    }
    return false
  }
}

extension DecodingState {
  /// `descend` where there is a key to descend to.
  func descendIfNeeded<R>(_ key: String?, _ body: () -> R) -> R {
    guard let key else { return body() }
    return descend(.key(key), body)
  }
}
