package import DLSyncModel
import DLSyncSystem
import Glibc

extension DiskSurvey {
  /// Lets these files, by whatever path they were seen, count as something that cannot be a destination. Those that are not
  /// there are no matter.
  package mutating func bar(_ paths: [String], as kind: String) {
    let barred = paths.compactMap { path -> FileIdentity? in
      var found = stat()
      return stat(path, &found) == 0 ? FileIdentity(found) : nil
    }
    guard !barred.isEmpty else { return }
    for index in observations.indices {
      guard case .file(let seen) = observations[index] else { continue }
      if barred.contains(where: { $0.inode == seen.inode && $0.device == seen.device }) {
        observations[index] = .special(kind)
      }
    }
  }
}
