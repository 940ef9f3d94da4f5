package import DLSyncModel
import DLSyncSystem
package import DLSyncThreading
import Glibc

/// Deletes files that dlsync published and that no manifest names any more: only where the very bytes that were published
/// are still there, looked at in the last moment. A link, a folder or anything else that took the file's place stays.
package struct OrphanRemoval {
  private let needed: Set<FileKey>
  private var reader: FileReader

  /// `needed` are destinations that are still wanted, as absolute paths: a file that is one of them by another way (a link
  /// on the path, a name in another case) stays. `cancel` ends the reading of a file early: it is `kept` then, whatever it is.
  package init(needed: [String], cancel: CancelToken? = nil) {
    reader = FileReader(cancel: cancel)
    let seen = Surveyor().survey(recorded: needed)
    self.needed = Set(
      seen.values.compactMap { observation in
        guard case .file(let identity) = observation else { return nil }
        return FileKey(identity)
      })
  }

  /// Deletes the file of a task at an absolute path if it is one of those that were published there. Throws where it cannot be
  /// told what is there, or the file cannot be deleted: then it is an orphan as before.
  package mutating func run(
    _ task: TaskID, _ path: String, published: [PublishedFile]
  ) throws(DLSyncError) -> PrunedFile.End {
    guard let destination = try? Destination(path, root: "/") else { return .absent }
    let folder: Folder
    do throws(FolderTrouble) { folder = try Folder.open(of: destination, creating: false) } catch {
      switch error {
      case .absent, .noFolder: return .absent
      default: throw error.error(for: destination)
      }
    }
    let aside = Aside(destination, of: task, in: folder)
    aside.recover()
    let found: stat
    do throws(SystemTrouble) { found = try status(folder.descriptor, destination.name) } catch {
      if error.number == ENOENT { return .absent }
      throw SystemFailure.error(error, "could not look at", path)
    }
    guard found.isRegularFile, !needed.contains(FileKey(FileIdentity(found))),
      let identity = vouched(destination, FileIdentity(found), published)
    else { return .kept }
    guard try aside.remove(identity, "could not delete") else { return .kept }
    // A name that comes back after a power failure is an orphan that the next run finds; nothing depends on this.
    try? folder.flush()
    return .deleted
  }

  /// What the disk shows of the file, if it is one of those that were published; where time stamps leave a doubt, by
  /// its digest.
  private mutating func vouched(
    _ destination: Destination, _ identity: FileIdentity, _ published: [PublishedFile]
  ) -> FileIdentity? {
    if published.contains(where: { !$0.isDoubtful && identity.isUntouched(since: $0.identity) }) { return identity }
    let candidates = published.filter { $0.identity.size == identity.size }
    guard !candidates.isEmpty else { return nil }
    let outcome = reader.read(destination, [.sha256])
    guard case .file(let read) = outcome.observation, let digest = outcome.digests?[.sha256],
      candidates.contains(where: { $0.fingerprint == digest })
    else { return nil }
    return read
  }
}
