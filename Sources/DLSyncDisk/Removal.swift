import CPosix
package import DLSyncModel
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
  package func remove(_ entry: TaskID, at destination: Destination, fingerprint: Digest) throws(DLSyncError) -> Removal
  {
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
      do throws(Errno) {
        return try unlink(destination.name, identity, in: folder, aside: PartClaim.ownName(entry)) ? .removed : .kept
      } catch {
        throw SystemFailure.error(error.number, "could not remove", destination.path)
      }
    default: return .kept
    }
  }

  /// Takes the file aside first, looks whether it is the one that was read, and puts anything else back.
  private func unlink(_ name: String, _ identity: FileIdentity, in folder: Folder, aside: String) throws(Errno) -> Bool
  {
    let directory = folder.descriptor
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
