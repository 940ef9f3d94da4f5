package import DLSyncModel
import Glibc

/// Partial data that lies beside destinations.
package struct FoundPart: Sendable {
  package let path: String
  /// The task that it belongs to, by its name.
  package let task: TaskID
  /// Whether it has the name that a later run looks for; the other one has the id of the process that made it.
  package let isUsual: Bool
  /// Bytes of the disk.
  package let diskBytes: ByteCount

  /// Takes it away, unless a process has it by now.
  package func remove() -> Bool {
    guard let folder = try? Folder.open(absolute: path.parentPath, creating: false) else { return false }
    return removeLeftover(String(path.pathComponents.last ?? ""), in: folder)
  }
}

/// The part files in these folders that no process uses right now and that `isOrphan` takes for nobody's. Folders that are
/// not there have none. Changes nothing.
package func findParts(in folders: Set<BytewiseText>, where isOrphan: (TaskID, Bool) -> Bool) -> [FoundPart] {
  folders.map(\.text).sorted().flatMap { path -> [FoundPart] in
    guard let folder = try? Folder.open(absolute: path, creating: false) else { return [] }
    return partNames(in: folder).sorted().compactMap { name in
      guard let (id, isUsual) = PartClaim.task(ofName: name), isOrphan(id, isUsual),
        let bytes = unusedBytes(name, in: folder)
      else { return nil }
      return FoundPart(
        path: (path == "/" ? "" : path) + "/" + name, task: id, isUsual: isUsual, diskBytes: ByteCount(bytes))
    }
  }
}

/// What a file takes up, or nil while a process has it.
private func unusedBytes(_ name: String, in folder: Folder) -> Int64? {
  guard let found = try? status(folder.descriptor, name), found.isRegularFile else { return nil }
  let descriptor = uninterrupted { openat(folder.descriptor, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
  guard descriptor >= 0 else { return Int64(found.st_blocks) * 512 }
  defer { close(descriptor) }
  return (try? PartClaim.isAlone(descriptor)) == false ? nil : Int64(found.st_blocks) * 512
}
