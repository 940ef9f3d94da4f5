import DLSyncModel

/// What a decoding read where, for one file of interest: every key with the place of its value. It belongs to one decoding
/// and costs others nothing.
final class Trace {
  /// A value as it stands.
  struct Note {
    let place: TextPosition
    /// What stands between `${` and `}` in it.
    let variables: [String]
  }

  /// A file of interest.
  struct Match {
    let entry: FileEntry
    /// Where the entry stands.
    let place: TextPosition
    /// The entry's own keys.
    let notes: [String: Note]
    /// Names that a matrix gives it.
    let matrix: Set<String>
    /// Its list, as an index into `filesFrom`.
    let list: Int?
  }

  private let isWanted: (FileEntry) -> Bool
  /// Keys outside of entries, by their paths in the manifest: `defaults.priority`, `queues.large.rate`.
  private(set) var notes: [String: Note] = [:]
  private(set) var matches: [Match] = []
  private var entryNotes: [String: Note] = [:]
  private var entryPath: String?

  init(where isWanted: @escaping (FileEntry) -> Bool) { self.isWanted = isWanted }

  /// A value was read.
  func note(_ path: String, _ node: NodeRef) {
    let note = Note(place: node.place, variables: Self.variables(node))
    guard let entryPath, path.hasPrefix(entryPath) else {
      notes[path] = note
      return
    }
    let key = path.dropFirst(entryPath.utf8.count)
    entryNotes[String(key.hasPrefix(".") ? key.dropFirst() : key)] = note
  }

  /// An entry is read from here on.
  func begin(_ path: String) {
    entryPath = path
    entryNotes = [:]
  }

  /// The entry stands for a file.
  func take(_ file: FileEntry, at place: TextPosition, matrix: Set<String>, list: Int?) {
    guard isWanted(file) else { return }
    matches.append(Match(entry: file, place: place, notes: entryNotes, matrix: matrix, list: list))
  }

  /// Nothing more belongs to the entry.
  func end() { entryPath = nil }

  /// A later reading of the document counts instead of the first.
  func beginAgain() { matches = [] }

  private static func variables(_ node: NodeRef) -> [String] {
    guard node.kind == .scalar else { return node.children.flatMap { $0.kind == .alias ? [] : variables($0) } }
    var names: [String] = []
    for part in node.text.replacingBytewise("$${", with: "").split(separator: "${", omittingEmptySubsequences: false)
      .dropFirst()
    {
      if let end = part.firstIndex(of: "}") { names.append(String(part[..<end])) }
    }
    return names
  }
}
