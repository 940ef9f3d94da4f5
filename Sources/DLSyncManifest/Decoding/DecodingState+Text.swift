import DLSyncModel

// Scalars, read by the type that their key expects.
extension DecodingState {
  /// A text. Nil when the node is none, is null, or names a variable that cannot be had; that is reported then.
  func text(_ node: NodeRef, expands: Bool = true) -> Text? {
    let node = resolved(node)
    guard node.kind == .scalar else {
      reportKind(node, expected: "a text")
      return nil
    }
    guard !node.isNull else {
      report(node, "a value is missing here")
      return nil
    }
    let written = node.text
    guard expands, !isLiteral, node.holdsDollar else {
      return Text(value: written, isPlain: node.isPlain, isLiteral: true)
    }
    let expansion = Expansion(variable: variables.meaning, environment: variables.environment)
    let (text, problems) = expansion.expand(written)
    for problem in problems { report(problem, at: node) }
    return text.map { Text(value: $0, isPlain: node.isPlain && $0 == written, isLiteral: $0 == written) }
  }

  /// One of a few words.
  func choice<T: RawRepresentable & CaseIterable>(_ node: NodeRef, _ type: T.Type = T.self) -> T?
  where T.RawValue == String {
    guard let text = text(node) else { return nil }
    if let value = T(rawValue: text.value) { return value }
    let names = T.allCases.map(\.rawValue)
    let nearest = text.isLiteral ? NearestName.slip(text.value, among: names) : nil
    report(
      resolved(node), "\(text.shown) is not \(Quote.choice(names))", hint: nearest.map { "did you mean `\($0)`?" })
    return nil
  }

  /// `true` or `false`, also as `True` and `TRUE` (YAML 1.2, section 10.3.2), as spreadsheets and templates write them.
  func bool(_ node: NodeRef) -> Bool? {
    guard let text = text(node) else { return nil }
    switch text.value {
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default:
      report(resolved(node), "\(text.shown) is not `true` or `false`")
      return nil
    }
  }

  /// A whole number within a range.
  func whole(_ node: NodeRef, in range: ClosedRange<Int>) -> Int? {
    guard let text = text(node) else { return nil }
    if let number = NumberText.whole(text.value), let value = Int(exactly: number), range.contains(value) {
      return value
    }
    report(resolved(node), "\(text.shown) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  /// A duration within a range; `limits` names the range where it has two ends.
  func duration(_ node: NodeRef, in range: ClosedRange<Duration>, limits: String?) -> Duration? {
    guard let text = text(node) else { return nil }
    let allowed = limits.map { "from \($0)" }
    guard let value = DurationText.parse(text.value) else {
      report(
        resolved(node), "\(text.shown) is not a duration" + (allowed.map { " \($0)" } ?? ""),
        hint: "write \(DurationText.form)")
      return nil
    }
    guard range.contains(value) else {
      report(resolved(node), "\(text.shown) is not a duration \(allowed ?? "longer than 0")")
      return nil
    }
    return value
  }

  /// Says that a node is of the wrong kind.
  func reportKind(_ node: NodeRef, expected: String, hint: String? = nil) {
    switch node.kind {
    case .scalar:
      report(
        node,
        node.isNull
          ? "\(expected) belongs here" : "\(expected) belongs here, not a \(node.isNumber ? "number" : "text")",
        hint: hint)
    case .sequence: report(node, "\(expected) belongs here, not a list", hint: hint)
    case .mapping: report(node, "\(expected) belongs here, not a mapping", hint: hint)
    case .alias, .broken: break
    }
  }

  private func report(_ problem: Expansion.Problem, at node: NodeRef) {
    switch problem {
    case .tooLong: report(node, "the value with its variables filled in is longer than 1 MiB")
    case .unclosed: report(node, "a `${` is not closed", hint: "write `$${` for the text `${` itself")
    case .noName(let inner):
      report(
        node, "`${\(Quote.short(inner))}` names no variable",
        hint: "write `${NAME}`, `${env:NAME}`, or `$${` for the text `${` itself")
    case .unsetEnvironment(let name):
      report(
        node, "the environment variable \(Quote.text(name)) is not set",
        hint: "set it, or give a default: `${env:\(name):-default}`")
    case .defaultOfVariable(let name):
      report(
        node, "the variable \(Quote.text(name)) cannot have a default here", hint: "only `${env:NAME:-default}` can")
    case .unknownVariable(let name):
      report(
        node, "the variable \(Quote.text(name)) is not defined", hint: unknownVariableHint(name), isCertain: false)
    }
  }

  private func unknownVariableHint(_ name: String) -> String {
    if let nearest = NearestName.slip(name, among: variables.names.sorted()) { return "did you mean `${\(nearest)}`?" }
    if variables.environment[name] != nil { return "for the environment variable write `${env:\(name)}`" }
    return "define it under `vars`, or with --var \(name)=VALUE"
  }
}
