import DLSyncModel

/// The destinations of a whole manifest: which entry wants a path, and which entries want what only one can have.
struct DestinationIndex {
  /// Entries that clash with others, by number.
  private(set) var refusals: [Int: Refusal] = [:]
  /// Entries that repeat an earlier one in everything; they count once.
  private(set) var repeated: Set<Int> = []

  private let files: [FileEntry]
  private let places: EntryPlaces
  private var paths: TextTable

  /// Looks at every entry; time grows linearly with them.
  init(_ files: [FileEntry], _ places: EntryPlaces) {
    self.files = files
    self.places = places
    paths = TextTable(capacity: files.count)
    refuseSharedPaths()
    refuseParents()
  }

  /// Drops what only `entry(of:)` needs: as much as half a plan.
  mutating func forgetPaths() { paths = TextTable(capacity: 0) }

  /// The first entry of a path, byte for byte; nil after `forgetPaths`.
  func entry(of path: ArraySlice<UInt8>) -> Int? {
    path.withUnsafeBytes { entry(of: $0) }
  }

  /// The same.
  func entry(of path: UnsafeRawBufferPointer) -> Int? { paths.find(path.byteHash) { files[$0].hasPath(path) } }

  /// Whether nothing is to be said of an entry's destination.
  func isPlain(_ entry: Int) -> Bool {
    (repeated.isEmpty || !repeated.contains(entry)) && (refusals.isEmpty || refusals[entry] == nil)
  }

  /// Adds what only the disk knows: paths that differ and are one place.
  mutating func refuseAliases(_ groups: [[Int]]) {
    for group in groups {
      let members = group.filter { !repeated.contains($0) }
      guard members.count > 1 else { continue }
      for member in members where refusals[member] == nil {
        let other = member == members[0] ? members[1] : members[0]
        refusals[member] = .alias(
          files[member], files[other], places.words(member, other, count: members.count))
      }
    }
  }

  // MARK: One path twice

  private mutating func refuseSharedPaths() {
    var shared: [Int: [Int]] = [:]
    for index in files.indices {
      var first: Int?
      files[index].lendPath { path in first = paths.insert(path.byteHash, index) { files[$0].hasPath(path) } }
      guard let first else { continue }
      // A few comparisons are enough: where so many want one path, a repetition more or less changes nothing.
      if (shared[first] ?? [first]).prefix(8).contains(where: { files[index].repeats(files[$0]) }) {
        repeated.insert(index)
      } else {
        shared[first, default: [first]].append(index)
      }
    }
    for (first, members) in shared {
      for member in members {
        let other = member == first ? members[1] : first
        refusals[member] = .samePlace(
          files[member], places.words(member, other, count: members.count))
      }
    }
  }

  // MARK: One path within another

  /// Bytes of a path with its end, as Linux takes it.
  static let longestPath = 4096

  private struct Folder {
    /// An entry below it, whose path begins with the folder's.
    let owner: Int32
    /// The folder's length in bytes.
    let length: Int32
    /// The entry that wants the folder, or one above it, for a file; -1 for none.
    let blocker: Int32
  }

  /// Asks for each distinct folder once whether it, or one above it, is some entry's destination. Neighbours in a
  /// manifest tend to share their folder, so most entries cost one comparison.
  private mutating func refuseParents() {
    var numbers = TextTable(capacity: 64)
    var folders: [Folder] = []
    var last = -1
    for index in files.indices {
      files[index].lendPath { path in
        // No file system takes it (PATH_MAX), so it is a conflict by itself, and its folders can be many.
        guard path.count < Self.longestPath else {
          last = -1
          return
        }
        let folder = path.folder
        if last >= 0, isSame(folders[last], folder) { return }
        last = number(of: folder, below: index, &numbers, &folders)
      }
      guard last >= 0, folders[last].blocker >= 0 else { continue }
      let parent = Int(folders[last].blocker)
      guard refusals[index] == nil || refusals[parent] == nil else { continue }
      let refusal = Refusal.parent(files[parent], of: files[index], places.words(parent, index, count: 2))
      for entry in [index, parent] where refusals[entry] == nil { refusals[entry] = refusal }
    }
  }

  /// The number of a folder, which gets one, as do those above it, when it is new; -1 for the root of all.
  private func number(
    of folder: UnsafeRawBufferPointer, below entry: Int, _ numbers: inout TextTable, _ folders: inout [Folder]
  ) -> Int {
    var above = -1
    // Innermost first. A loop, since a path may have more folders than a stack has room for.
    var new: [(folder: UnsafeRawBufferPointer, hash: UInt32)] = []
    var folder = folder
    while folder.count > 0 {
      let hash = folder.byteHash
      if let found = numbers.find(hash, isEqual: { isSame(folders[$0], folder) }) {
        above = found
        break
      }
      new.append((folder, hash))
      folder = folder.folder
    }
    while let (folder, hash) = new.popLast() {
      var blocker = paths.find(hash) { files[$0].hasPath(folder) } ?? -1
      if blocker < 0, above >= 0 { blocker = Int(folders[above].blocker) }
      folders.append(Folder(owner: Int32(entry), length: Int32(folder.count), blocker: Int32(blocker)))
      _ = numbers.insert(hash, folders.count - 1) { _ in false }
      above = folders.count - 1
    }
    return above
  }

  private func isSame(_ known: Folder, _ folder: UnsafeRawBufferPointer) -> Bool {
    folder.count == Int(known.length) && files[Int(known.owner)].pathBegins(with: folder)
  }
}

extension FileOptions {
  /// Whether all settings are equal, headers in any order and with names in any case.
  fileprivate func repeats(_ other: FileOptions) -> Bool {
    if self === other { return true }
    var (mine, its) = (settings, other.settings)
    mine.headers = []
    its.headers = []
    return mine == its && hasSameHeaders(as: other)
  }
}

extension FileEntry {
  /// Whether both entries are equal in everything that a manifest can say of them.
  fileprivate func repeats(_ other: FileEntry) -> Bool {
    id == other.id && url == other.url && size == other.size && priority == other.priority && queue == other.queue
      && Set(checksums) == Set(other.checksums) && options.repeats(other.options)
  }
}
