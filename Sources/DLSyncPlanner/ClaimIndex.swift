import DLSyncModel

/// Entries whose destinations tasks of other manifests have: the path itself, a folder above it, or something below it. Of two
/// such paths only one can be a file.
struct ClaimIndex {
  private var claims: [(path: String, scope: Scope)] = []
  private var table: TextTable
  /// The claim that stands against an entry, by number.
  private var found: [Int: Int] = [:]

  /// Looks at every entry and every claim; time grows linearly with both.
  init(_ claims: [BytewiseText: Scope], _ files: [FileEntry], _ destinations: DestinationIndex) {
    table = TextTable(capacity: claims.count)
    guard !claims.isEmpty, !files.isEmpty else { return }
    self.claims = claims.map { ($0.text, $1) }
    for (index, claim) in self.claims.enumerated() {
      claim.path.withBytes { path in _ = table.insert(path.byteHash, index) { _ in false } }
    }
    findBelow(files, destinations)
    findUpwards(files)
  }

  /// What stands against an entry.
  subscript(entry: Int) -> (path: String, scope: Scope)? { found.isEmpty ? nil : found[entry].map { claims[$0] } }

  /// Asks for each claim whether a folder above it is an entry's. Of several the first in the order of their bytes counts.
  private mutating func findBelow(_ files: [FileEntry], _ destinations: DestinationIndex) {
    var shortest = Int.max
    for file in files { file.lendPath { shortest = min(shortest, $0.count) } }
    for (index, claim) in claims.enumerated() {
      claim.path.withBytes { path in
        var folder = path.folder
        while folder.count >= shortest {
          if let entry = destinations.entry(of: folder),
            found[entry].map({ claim.path.utf8.lexicographicallyPrecedes(claims[$0].path.utf8) }) ?? true
          {
            found[entry] = index
          }
          folder = folder.folder
        }
      }
    }
  }

  /// Asks for each entry whether its path is claimed, or a folder above it: that counts more. Neighbours share their folder.
  private mutating func findUpwards(_ files: [FileEntry]) {
    let shortest = claims.lazy.map(\.path.utf8.count).min() ?? 0
    var last: (entry: Int, length: Int, claim: Int?)?
    for (index, file) in files.enumerated() {
      file.lendPath { path in
        if let claim = claim(of: path) {
          found[index] = claim
          return
        }
        guard path.count < DestinationIndex.longestPath else { return }
        let folder = path.folder
        if last.map({ $0.length != folder.count || !files[$0.entry].pathBegins(with: folder) }) ?? true {
          last = (index, folder.count, nearest(folder, shortest))
        }
        if let claim = last?.claim { found[index] = claim }
      }
    }
  }

  /// The claim of a folder or of the nearest one above it. None is shorter than `shortest`, which is not 0.
  private func nearest(_ folder: UnsafeRawBufferPointer, _ shortest: Int) -> Int? {
    var folder = folder
    while folder.count >= shortest {
      if let claim = claim(of: folder) { return claim }
      folder = folder.folder
    }
    return nil
  }

  private func claim(of path: UnsafeRawBufferPointer) -> Int? {
    table.find(path.byteHash) { index in claims[index].path.withBytes { $0.hasSameBytes(as: path) } }
  }
}
