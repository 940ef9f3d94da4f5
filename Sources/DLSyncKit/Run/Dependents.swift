/// Files that wait for another file's bytes, found by either of the two.
struct Dependents {
  private var waiting: [Int: Set<Int>] = [:]
  private var sources: [Int: Int] = [:]

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

  mutating func removeAll() { self = Dependents() }
}
