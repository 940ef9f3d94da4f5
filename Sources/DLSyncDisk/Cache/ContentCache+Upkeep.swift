package import DLSyncModel
import Glibc

/// What a cache holds, and its end.
extension ContentCache {
  /// How many files a cache holds, and their bytes. Blocks for a walk through it; changes nothing.
  package func usage() -> FileTally {
    var tally = FileTally()
    forEach(.sha256) { _, attributes in
      if attributes.isRegularFile { tally.add(Int64(attributes.st_size)) }
    }
    return tally
  }

  /// Takes everything away that a cache puts there, and nothing else: who names a wrong folder loses nothing. Answers what
  /// went. Blocks.
  package func clear() -> FileTally {
    var tally = removeLeftovers()
    for algorithm in DigestAlgorithm.allCases where Self.finds(algorithm) {
      forEach(algorithm) { path, attributes in
        guard attributes.isRegularFile || attributes.kind == S_IFLNK, unlink(path) == 0 else { return }
        if algorithm == .sha256 { tally.add(Int64(attributes.st_size)) }
      }
      let top = "\(folder)/\(algorithm.name)"
      for name in names(top) where Self.isHex(name, 2) { rmdir("\(top)/\(name)") }
      rmdir(top)
    }
    rmdir(folder + "/new")
    return tally
  }

  /// Takes away what writers left that are gone.
  func removeLeftovers() -> FileTally {
    var tally = FileTally()
    for name in names(folder + "/new") where name.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }) {
      let path = "\(folder)/new/\(name)"
      let descriptor = uninterrupted { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0, let found = try? status(descriptor),
        found.isRegularFile, unlink(path) == 0
      else { continue }
      tally.add(Int64(found.st_size))
    }
    return tally
  }

  private func forEach(_ algorithm: DigestAlgorithm, _ body: (String, stat) -> Void) {
    let top = "\(folder)/\(algorithm.name)"
    for beginning in names(top) where Self.isHex(beginning, 2) {
      for name in names("\(top)/\(beginning)") where Self.isHex(name, algorithm.length * 2) {
        let path = "\(top)/\(beginning)/\(name)"
        var found = stat()
        if lstat(path, &found) == 0 { body(path, found) }
      }
    }
  }

  private func names(_ path: String) -> [String] {
    guard let opened = try? Folder.open(absolute: path, creating: false) else { return [] }
    return DLSyncDisk.names(in: opened) { _ in true }
  }

  private static func isHex(_ text: String, _ length: Int) -> Bool {
    text.utf8.count == length && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
