import DLSyncModel
import Glibc

/// Finds entries whose paths differ though the disk takes them for one place.
///
/// Two things make such pairs: a folder that has two paths (a linked folder), and a file system that does not tell case or
/// Unicode form apart. The latter cannot be asked for; so where a manifest holds two such names on a file system that is
/// not known to tell them apart, a probe file is made for a moment.
struct AliasFinder {
  private let places: SurveyedPlaces

  init(places: SurveyedPlaces) { self.places = places }

  private struct Key: Hashable {
    let folder: FolderIdentity
    /// What lies between the folder and the file, and its name; lower case and one Unicode form.
    let folded: String
  }

  private struct Candidate {
    let index: Int
    let below: String
    let place: FolderCache.Place
  }

  /// Groups of two or more indices, ascending.
  func aliases(_ files: [FileEntry]) -> [[Int]] {
    let linked = places.linkedPaths
    let folding = places.foldingDevices
    // By far the most surveys end here.
    guard !linked.isEmpty || !folding.isEmpty else { return [] }
    var sight = Sight(places)
    var candidates: [Key: [Candidate]] = [:]
    for (index, file) in files.enumerated() {
      let destination = file.destination
      guard !folding.isEmpty || linked.contains(BytewiseText(destination.folder)) else { continue }
      let place = sight.place(of: destination)
      guard let folder = place.nearest,
        folding.contains(folder.device) || linked.contains(BytewiseText(destination.folder))
      else {
        continue
      }
      let below = place.rest.isEmpty ? destination.name : place.rest + "/" + destination.name
      let key = Key(folder: folder, folded: below.lowercased())
      candidates[key, default: []].append(Candidate(index: index, below: below, place: place))
    }
    return candidates.values.flatMap { groups($0, files, folding) }.sorted { $0[0] < $1[0] }
  }

  /// Of candidates with one folded name, those that really are one place.
  private func groups(_ candidates: [Candidate], _ files: [FileEntry], _ folding: Set<UInt64>) -> [[Int]] {
    guard candidates.count > 1 else { return [] }
    var groups: [[Candidate]] = []
    for candidate in candidates {
      let home = groups.firstIndex { group in
        group[0].below.hasSameBytes(as: candidate.below)
          || folding.contains(candidate.place.device)
            && isOne(group[0], candidate, files[candidate.index].destination)
      }
      if let home { groups[home].append(candidate) } else { groups.append([candidate]) }
    }
    return groups.filter { group in
      let first = files[group[0].index].destination.path
      return group.contains { !files[$0.index].destination.path.hasSameBytes(as: first) }
    }.map { $0.map(\.index) }
  }

  private func isOne(_ first: Candidate, _ second: Candidate, _ destination: Destination) -> Bool {
    // Where the folder is there, one of the files may be: then the answer needs no probe.
    if case .success(let folder) = first.place.folder {
      let one = try? status(folder.descriptor, first.below)
      let other = try? status(folder.descriptor, second.below)
      if let one, let other { return one.st_ino == other.st_ino && one.st_dev == other.st_dev }
      if one != nil || other != nil { return false }
      return Self.probe(folder, first.below, second.below)
    }
    var path = destination.folder
    while path != "/" {
      path = path.parentPath
      if let folder = try? Folder.open(absolute: path, creating: false) {
        return Self.probe(folder, first.below, second.below)
      }
    }
    return false
  }

  /// What the name of a probe begins with.
  static let probePrefix = ".dlsync-probe-"

  /// Makes a file of a name that ends like the one, and looks for it under a name that ends like the other. Probes of ended
  /// processes, which lie there after a kill, go with it.
  static func probe(_ folder: Folder, _ one: String, _ other: String) -> Bool {
    for left in names(in: folder, where: { $0.hasPrefix(probePrefix) }) { removeProbe(left, in: folder) }
    func name(_ text: String) -> String {
      "\(probePrefix)\(getpid())-" + text.pathComponents.joined(separator: "_")
    }
    // Locked, so that nobody takes it for one that was left.
    guard let probe = try? PartClaim.take(name(one), in: folder, mode: 0o600) else { return false }
    defer {
      unlinkat(folder.descriptor, name(one), 0)
      close(probe.descriptor)
    }
    guard let made = try? status(probe.descriptor), let found = try? status(folder.descriptor, name(other)) else {
      return false
    }
    return made.st_ino == found.st_ino
  }
}
