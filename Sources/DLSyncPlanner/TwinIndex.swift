import DLSyncModel

/// Entries of one queue that have one URL. Where they agree in checksums and headers they are one transfer and several
/// files; where they do not, nobody can tell what the URL is meant to give.
struct TwinIndex {
  /// Groups of two and more entries that agree, each in the manifest's order.
  private(set) var groups: [[Int]] = []
  /// Entries of groups that do not, by number.
  private(set) var refusals: [Int: Refusal] = [:]

  /// Looks at every entry but those that repeat an earlier one; time grows linearly with them.
  init(_ files: [FileEntry], repeated: Set<Int>, _ places: EntryPlaces) {
    var table = TextTable(capacity: files.count)
    var members: [Int: [Int]] = [:]
    var order: [Int] = []
    for index in files.indices where repeated.isEmpty || !repeated.contains(index) {
      let entry = files[index]
      let first = table.insert(entry.urlHash, index) { other in
        files[other].queue == entry.queue && files[other].hasURL(of: entry)
      }
      guard let first else { continue }
      if members[first] == nil { order.append(first) }
      members[first, default: [first]].append(index)
    }
    for first in order { judge(members[first]!, files, places) }
  }

  private mutating func judge(_ group: [Int], _ files: [FileEntry], _ places: EntryPlaces) {
    let first = files[group[0]]
    guard let odd = group.first(where: { !files[$0].agrees(with: first) }) else {
      groups += partsStoredAlike(group, files)
      return
    }
    for member in group {
      let other = files[member].agrees(with: first) ? odd : group[0]
      refusals[member] = .twins(
        files[member], files[other], places.words(member, other, count: group.count))
    }
  }

  /// The entries of one transfer whose files are equal in everything: an encoded body that one of them keeps is none that
  /// another may have, and times differ.
  private func partsStoredAlike(_ group: [Int], _ files: [FileEntry]) -> [[Int]] {
    var parts: [[Int]] = []
    for member in group {
      if let part = parts.firstIndex(where: { files[$0[0]].isStored(as: files[member]) }) {
        parts[part].append(member)
      } else {
        parts.append([member])
      }
    }
    return parts.filter { $0.count > 1 }
  }
}

extension FileEntry {
  fileprivate func agrees(with other: FileEntry) -> Bool {
    (checksums == other.checksums || Set(checksums) == Set(other.checksums))
      && options.listMark == other.options.listMark && options.hasSameHeaders(as: other.options)
  }

  fileprivate func isStored(as other: FileEntry) -> Bool {
    if options === other.options { return true }
    let (mine, its) = (options.settings, other.options.settings)
    return mine.keepsEncoding == its.keepsEncoding && mine.takesServerTime == its.takesServerTime
  }
}
