import CPosix
package import DLSyncModel
import DLSyncSystem
import Glibc

/// What became of a published file that was to be removed.
package enum Removal: Hashable, Sendable {
  case removed
  /// Nothing is there.
  case absent
  /// Something else is there, or other bytes; it was left alone.
  case kept
}

extension Publisher {
  /// Removes a task's published file if its bytes are still those of the fingerprint: it is read, whatever its identity
  /// says. Links are never followed. Blocks.
  package func remove(_ task: TaskID, at destination: Destination, fingerprint: Digest) throws(DLSyncError) -> Removal {
    let folder: Folder
    do throws(FolderTrouble) { folder = try Folder.open(of: destination, creating: false) } catch {
      switch error {
      case .absent, .noFolder: return .absent
      default: throw error.error(for: destination)
      }
    }
    let aside = Aside(destination, of: task, in: folder)
    aside.recover()
    var reader = FileReader()
    let outcome = reader.read(destination, [.sha256])
    switch outcome.observation {
    case .absent: return .absent
    case .file(let identity) where outcome.digests?[.sha256] == fingerprint:
      return try aside.remove(identity, "could not remove") ? .removed : .kept
    default: return .kept
    }
  }
}
