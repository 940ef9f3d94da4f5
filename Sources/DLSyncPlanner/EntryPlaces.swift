import DLSyncModel

/// Where entries are written, in words: on lines of the manifest, and of the lists that it names.
struct EntryPlaces {
  private let files: [FileEntry]
  private let lists: [ListExtent]
  private let source: String

  init(_ manifest: Manifest) {
    files = manifest.files
    lists = manifest.lists
    source = manifest.source
  }

  /// Two of `count` entries that cannot be together, by their places in the manifest's files.
  func words(_ entry: Int, _ other: Int, count: Int) -> String {
    let (first, second) = isBefore(entry, other) ? (entry, other) : (other, entry)
    let words: String
    if list(of: first) != list(of: second) {
      words = "line \(files[first].line)\(text(first, isAlone: false)) and line \(files[second].line)\(text(second))"
    } else if files[first].line == files[second].line {
      words = "line \(files[first].line)\(text(first)), more than once"
    } else {
      words = "line \(files[first].line) and line \(files[second].line)\(text(first))"
    }
    return count > 2 ? "\(words) (\(count) entries in all)" : words
  }

  /// The number of an entry's list; -1 for the manifest itself.
  private func list(of entry: Int) -> Int { lists.lastIndex { $0.firstFile <= entry } ?? -1 }

  private func isBefore(_ entry: Int, _ other: Int) -> Bool {
    (list(of: entry), files[entry].line) <= (list(of: other), files[other].line)
  }

  /// The file that the line is of, where that is not the manifest alone.
  private func text(_ entry: Int, isAlone: Bool = true) -> String {
    let list = list(of: entry)
    if list >= 0 { return " of \"\(lists[list].path)\"" }
    return isAlone ? "" : " of \"\(source)\""
  }
}
