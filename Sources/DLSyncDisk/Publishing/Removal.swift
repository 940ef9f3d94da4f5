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
  /// Removes a published file if its bytes are still those of the fingerprint: it is read, whatever its identity says. Links
  /// are never followed. Blocks.
  package func remove(at destination: Destination, fingerprint: Digest) throws(DLSyncError) -> Removal {
    let folder: Folder
    do throws(FolderTrouble) { folder = try Folder.open(of: destination, creating: false) } catch {
      if case .absent = error { return .absent }
      throw error.error(for: destination)
    }
    var reader = FileReader()
    let outcome = reader.read(destination, [.sha256])
    switch outcome.observation {
    case .absent: return .absent
    case .file(let identity) where outcome.digests?[.sha256] == fingerprint:
      do throws(SystemTrouble) {
        return try Aside.remove(destination.name, identity, in: folder) ? .removed : .kept
      } catch {
        throw SystemFailure.error(error, "could not remove", destination.path)
      }
    default: return .kept
    }
  }
}

/// Removes a file that was looked at, and nothing else: it is taken aside first, where nobody looks for it, then looked at
/// once more, and put back where it is another one.
enum Aside {
  /// Whether it was removed; false where something else is there.
  static func remove(_ name: String, _ identity: FileIdentity, in folder: Folder) throws(SystemTrouble) -> Bool {
    let directory = folder.descriptor
    let aside = ".dlsync-aside-\(getpid())"
    guard FileIdentity(try status(directory, name)).isUntouched(since: identity) else { return false }
    if dl_renameat2_noreplace(directory, name, directory, aside) != 0 {
      guard [EINVAL, ENOSYS, EEXIST].contains(errno) else { throw .last }
      // No such rename here: the look just before has to do.
      if unlinkat(directory, name, 0) != 0 { throw .last }
      return true
    }
    guard FileIdentity(try status(directory, aside)).isSameFile(as: identity) else {
      if dl_renameat2_noreplace(directory, aside, directory, name) != 0 { throw .last }
      return false
    }
    if unlinkat(directory, aside, 0) != 0 { throw .last }
    return true
  }
}
