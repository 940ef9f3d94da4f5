internal import DLSyncModel

/// Which lines there are and which are still wanted, while a lock file is made.
struct LockBoard {
  private let manifest: Manifest
  private let old: [BytewiseText: ManifestLock.Line]
  private var lines: [Int: ManifestLock.Line] = [:]
  private var errors: [Int: DLSyncError] = [:]
  /// The first entry of each destination: those that repeat one count once.
  private let entries: [Int]
  /// A selector that names no file.
  private(set) var unmatchedSelector: String?

  init(_ manifest: Manifest, _ old: ManifestLock?, _ options: LockOptions) {
    self.manifest = manifest
    self.old = old?.byDestination ?? [:]
    var seen: Set<BytewiseText> = []
    entries = manifest.files.indices.filter { seen.insert(BytewiseText(manifest.files[$0].destination.path)).inserted }
    let renewed = options.renews ? select(options.selectors) : []
    for index in entries {
      let line = self.old[BytewiseText(manifest.lockedName(of: manifest.files[index]))]
      if let line, line.fits(manifest.files[index], of: manifest), !renewed.contains(index) { lines[index] = line }
    }
    if !options.renews, let old { takeFromSameURL(old) }
  }

  /// Files without a line yet and without trouble, as indexes into the manifest's files; looked for anew each time.
  var wanted: [Int] { entries.filter { lines[$0] == nil && errors[$0] == nil } }

  /// The files that are to be renewed, with all others of their URLs: one URL is not locked to two versions.
  private mutating func select(_ selectors: [String]) -> Set<Int> {
    guard !selectors.isEmpty else { return Set(entries) }
    var selected: Set<Int> = []
    for selector in selectors {
      let found = entries.filter { manifest.files[$0].isNamed(by: selector) }
      if found.isEmpty, unmatchedSelector == nil { unmatchedSelector = selector }
      selected.formUnion(found)
    }
    let urls = Set(selected.map { manifest.files[$0].url })
    return selected.union(entries.filter { urls.contains(manifest.files[$0].url) })
  }

  private mutating func takeFromSameURL(_ old: ManifestLock) {
    let byURL = old.byURL
    for index in entries where lines[index] == nil {
      let entry = manifest.files[index]
      let url = BytewiseText(Redaction.storable(entry.url.text))
      guard let line = byURL[url]?.moved(to: manifest.lockedName(of: entry)), line.fits(entry, of: manifest) else {
        continue
      }
      lines[index] = line
    }
  }

  mutating func take(_ index: Int, _ line: ManifestLock.Line) { lines[index] = line }

  mutating func fail(_ index: Int, _ error: DLSyncError) { errors[index] = error }

  /// Leaves files without a line that no plan would fetch.
  mutating func refuse(_ refusals: [TaskID: DLSyncError]) {
    guard !refusals.isEmpty else { return }
    for index in entries {
      guard let error = refusals[manifest.files[index].id] else { continue }
      lines[index] = nil
      errors[index] = error
    }
  }

  var hasFailures: Bool { !errors.isEmpty }

  /// The lines as they are now.
  var lock: ManifestLock { ManifestLock(entries.compactMap { lines[$0] }) }

  /// Lines whose files are named no longer.
  var dropped: Int {
    let named = Set(entries.map { BytewiseText(manifest.lockedName(of: manifest.files[$0])) })
    return old.keys.count { !named.contains($0) }
  }

  var files: [LockReport.File] {
    entries.map { index in
      let entry = manifest.files[index]
      let before = old[BytewiseText(manifest.lockedName(of: entry))]
      let line = lines[index]
      let change: LockReport.Change = line == nil ? .failed : before == nil ? .added : before == line ? .kept : .renewed
      return LockReport.File(entry: entry, change: change, line: line, error: errors[index])
    }
  }
}

extension FileEntry {
  /// By id, destination (as written or absolute), URL, or a pattern of these.
  fileprivate func isNamed(by selector: String) -> Bool {
    if TaskID(selector) == id { return true }
    let pattern = GlobPattern(selector)
    return pattern.matches(destination.relativePath) || pattern.matches(destination.path) || pattern.matches(url.text)
  }
}
