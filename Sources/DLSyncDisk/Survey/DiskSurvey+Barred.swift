package import DLSyncModel
import DLSyncSystem
import Glibc

extension DiskSurvey {
  /// Lets these files, by whatever path they were seen, count as something that cannot be a destination. Those that are not
  /// there are no matter.
  package mutating func bar(_ paths: [String], as kind: String) {
    let barred = Set(
      paths.compactMap { path -> FileKey? in
        var found = stat()
        return stat(path, &found) == 0 ? FileKey(FileIdentity(found)) : nil
      })
    guard !barred.isEmpty else { return }
    for index in observations.indices {
      guard case .file(let seen) = observations[index], barred.contains(FileKey(seen)) else { continue }
      observations[index] = .special(kind)
    }
  }
}
