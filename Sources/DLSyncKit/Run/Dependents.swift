internal import DLSyncModel

/// Files that wait for another file's bytes, found by either of the two.
struct Dependents {
  private var waiting: [Int: Set<Int>] = [:]
  private var sources: [Int: Int] = [:]
  /// What whoever copies from a file must find there, by that file.
  private var identities: [Int: FileIdentity] = [:]

  var isEmpty: Bool { sources.isEmpty }

  /// A file waits for another one's bytes.
  mutating func add(_ file: Int, on source: Int) {
    remove(file)
    waiting[source, default: []].insert(file)
    sources[file] = source
  }

  /// Whether it waits for another file's bytes.
  func holds(_ file: Int) -> Bool { sources[file] != nil }

  /// Whether others wait for its bytes.
  func isAwaited(_ source: Int) -> Bool { waiting[source] != nil }

  /// A file has come: whoever waits for its bytes copies them from this one.
  mutating func arrived(_ source: Int, _ identity: FileIdentity) {
    if isAwaited(source) { offer(source, identity) }
  }

  /// The same of a file that is there already.
  mutating func offer(_ source: Int, _ identity: FileIdentity) { identities[source] = identity }

  /// What whoever copies from the file must find there; nil of one that did not come.
  func identity(of source: Int) -> FileIdentity? { identities[source] }

  /// It does not wait any more.
  mutating func remove(_ file: Int) {
    guard let source = sources.removeValue(forKey: file) else { return }
    waiting[source]?.remove(file)
    if waiting[source]?.isEmpty == true { waiting[source] = nil }
  }

  /// Those who waited for a file, in the plan's order: they do not any more.
  mutating func release(_ source: Int) -> [Int] {
    let files = waiting.removeValue(forKey: source) ?? []
    for file in files { sources[file] = nil }
    return files.sorted()
  }

  mutating func removeAll() { (waiting, sources) = ([:], [:]) }
}
