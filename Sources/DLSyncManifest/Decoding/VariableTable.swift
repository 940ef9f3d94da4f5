/// The variables of a manifest in the order of their making.
struct VariableTable {
  private let given: [String: String]
  let environment: [String: String]
  private var own: [String: String] = [:]
  private var broken: Set<String> = []
  /// Names that the manifest declares, with a value or without.
  private(set) var declared: Set<String> = []
  /// Names that count within one entry only.
  private var local: [String: String] = [:]
  /// Such names whose values are wrong.
  private var localBroken: Set<String> = []

  init(_ context: ManifestContext) {
    given = context.variables
    environment = context.environment
  }

  /// Whether the command line gives this name, so that the manifest's own value does not count.
  func isGiven(_ name: String) -> Bool { given[name] != nil }

  /// Every name there is.
  var names: [String] { Array(given.keys) + Array(own.keys) + Array(local.keys) }

  /// The names that count within one entry only.
  var localNames: Set<String> { Set(local.keys) }

  /// Notes that the manifest declares a name.
  mutating func declare(_ name: String) { declared.insert(name) }

  /// Adds a variable; nil for one whose value is wrong.
  mutating func set(_ name: String, _ value: String?) {
    if let value { own[name] = value } else { broken.insert(name) }
  }

  /// Replaces the names that count within one entry only.
  mutating func setLocal(_ values: [String: String], broken: Set<String> = []) {
    if !local.isEmpty || !values.isEmpty { local = values }
    if !localBroken.isEmpty || !broken.isEmpty { localBroken = broken }
  }

  func meaning(of name: String) -> Expansion.Meaning {
    if localBroken.contains(name) { return .broken }
    if let value = local[name] ?? given[name] ?? own[name] { return .value(value) }
    return broken.contains(name) ? .broken : .unknown
  }
}
