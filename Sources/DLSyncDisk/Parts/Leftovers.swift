package import DLSyncModel
import DLSyncSystem
import Glibc

/// Removes partial data that nobody uses: the part files of these entries, under their usual name and under those of
/// ended processes, whose locks nobody holds, and probes beside them. Other files are not touched. Every folder is read
/// once. Returns how many went.
///
/// `keeping` names tasks whose usual part file stays, to be resumed.
@discardableResult
package func removeLeftovers(of entries: [FileEntry], keeping: Set<TaskID> = []) -> Int {
  removeLeftovers(of: Set(entries.map(\.id)), at: entries.lazy.map(\.destination), keeping: keeping)
}

/// The same for tasks that no entry names any more, by their absolute paths.
package func removeLeftovers(of orphans: [Orphan]) {
  removeLeftovers(
    of: Set(orphans.map(\.id)), at: orphans.lazy.compactMap { try? Destination($0.destination, root: "/") }, keeping: []
  )
}

@discardableResult
private func removeLeftovers(
  of tasks: Set<TaskID>, at destinations: some Sequence<Destination>, keeping: Set<TaskID>
) -> Int {
  var seen: Set<BytewiseText> = []
  var count = 0
  for destination in destinations where seen.insert(BytewiseText(destination.folder)).inserted {
    guard let folder = try? Folder.open(of: destination, creating: false) else { continue }
    for name in partNames(in: folder) {
      // Of a plan that was killed: of no task.
      if name.hasPrefix(AliasFinder.probePrefix) { removeProbe(name, in: folder) }
      guard let (id, isUsual) = PartClaim.task(ofName: name), tasks.contains(id) else { continue }
      if isUsual, keeping.contains(id) { continue }
      if removeLeftover(name, in: folder) { count += 1 }
    }
  }
  return count
}

func partNames(in folder: Folder) -> [String] {
  names(in: folder) { $0.hasPrefix(".dlsync-") }
}

/// The names in a folder that are wanted; none where it cannot be read.
func names(in folder: Folder, where isWanted: (String) -> Bool) -> [String] {
  let descriptor = uninterrupted { openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  return FolderNames.of(descriptor: descriptor, where: isWanted)
}

/// Removes what a killed plan left: a probe never has a byte, so whatever has is somebody's.
func removeProbe(_ name: String, in folder: Folder) {
  guard let found = try? status(folder.descriptor, name), found.st_size == 0 else { return }
  removeLeftover(name, in: folder)
}

@discardableResult
func removeLeftover(_ name: String, in folder: Folder) -> Bool {
  guard let found = try? status(folder.descriptor, name), found.isRegularFile else { return false }
  let descriptor = uninterrupted {
    openat(folder.descriptor, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
  }
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  guard (try? PartClaim.isAlone(descriptor)) == true, let mine = try? status(descriptor),
    let named = try? status(folder.descriptor, name), named.st_ino == mine.st_ino, named.st_dev == mine.st_dev
  else { return false }
  return unlinkat(folder.descriptor, name, 0) == 0
}
