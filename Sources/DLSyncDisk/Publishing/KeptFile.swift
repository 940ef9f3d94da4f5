import CPosix
package import DLSyncModel
import DLSyncSystem
import Glibc

/// A file of somebody that came to bear the name of partial data: two files changed their names in one step, and then
/// nothing more could be done. It gets a name that no run takes for partial data.
package enum KeptFile {
  /// What became of the file that bears the usual name of a task's partial data, after a run that was killed while it
  /// published: the path where a file of somebody lies now, or nil where there was none.
  ///
  /// `intent` is the file that was about to be published, which is the partial data. `published`, which was published before,
  /// was to be replaced, and goes. Anything else may be what somebody put there in the last moment.
  package static func settle(
    _ task: TaskID, at destination: Destination, intent: PublishedFile, published: PublishedFile?
  ) throws(DLSyncError) -> String? {
    let name = PartClaim.name(task)
    guard let folder = try? Folder.open(of: destination, creating: false),
      let found = try? status(folder.descriptor, name), found.isRegularFile
    else { return nil }
    let identity = FileIdentity(found)
    if FileKey(identity) == FileKey(intent.identity) || isCopy(name, identity, of: intent, destination) { return nil }
    if let published, identity.isSameFile(as: published.identity) {
      unlinkat(folder.descriptor, name, 0)
      return nil
    }
    guard let kept = put(name, in: folder.descriptor) else {
      throw DLSyncError(
        .destinationModified,
        "could not go on with \"\(destination)\": a run was killed while it replaced the file that was there, which bears the "
          + "name of partial data now and cannot be moved away",
        hint: "give \"\(destination.folder)/\(name)\" another name, then apply again",
        .init(underlying: SystemTrouble.last.record))
    }
    return destination.folder + "/" + kept
  }

  /// Not every file system keeps the numbers of its files, and a folder may have been restored: then the bytes tell.
  private static func isCopy(
    _ name: String, _ found: FileIdentity, of file: PublishedFile, _ destination: Destination
  ) -> Bool {
    // The time alone proves nothing: others may take over the server's, too.
    guard found.size == file.identity.size, let part = try? Destination(destination.folder + "/" + name, root: "/")
    else {
      return false
    }
    var reader = FileReader()
    return reader.read(part, [.sha256]).digests?[.sha256] == file.fingerprint
  }

  /// Renames it; nil, with the reason in `errno`, where that cannot be.
  static func put(_ name: String, in folder: Int32) -> String? {
    for number in 0..<100 {
      let kept = ".kept" + (number == 0 ? "" : "-\(number)") + name
      if dl_renameat2_noreplace(folder, name, folder, kept) == 0 { return kept }
      if errno == EINVAL || errno == ENOSYS, linkat(folder, name, folder, kept, 0) == 0 {
        unlinkat(folder, name, 0)
        return kept
      }
      if errno != EEXIST { return nil }
    }
    return nil
  }
}
