import CPosix
import DLSyncModel
import DLSyncSystem
import Glibc

/// Removes a file that was looked at, and nothing else: it is taken aside first, where nobody looks for it, then looked at
/// once more, and put back where it is another one.
///
/// The name aside is that of the task, so that whoever removes its file next finds what a killed process left there.
struct Aside {
  private let folder: Int32
  /// The file's own name.
  private let name: String
  private let aside: String

  init(_ name: String, of task: TaskID, in folder: Folder) {
    self.folder = folder.descriptor
    self.name = name
    aside = ".dlsync-\(task).aside"
  }

  /// Gives a file that a killed process took aside its name back: it is looked at anew then, as if nothing had happened.
  /// Where something else has the name by now it stays as it is, because nothing tells whose it is.
  func recover() {
    guard (try? status(folder, aside))?.isRegularFile == true else { return }
    _ = dl_renameat2_noreplace(folder, aside, folder, name)
  }

  /// Whether it was removed; false where something else is there. After a failure it has its name.
  func remove(_ identity: FileIdentity) throws(SystemTrouble) -> Bool {
    guard FileIdentity(try status(folder, name)).isUntouched(since: identity) else { return false }
    if dl_renameat2_noreplace(folder, name, folder, aside) != 0 {
      guard [EINVAL, ENOSYS, EEXIST].contains(errno) else { throw .last }
      // No such rename here: the look just before has to do.
      if unlinkat(folder, name, 0) != 0 { throw .last }
      return true
    }
    guard FileIdentity(try status(folder, aside)).isSameFile(as: identity) else {
      try putBack()
      return false
    }
    if unlinkat(folder, aside, 0) != 0 {
      let trouble = SystemTrouble.last
      try putBack()
      throw trouble
    }
    return true
  }

  private func putBack() throws(SystemTrouble) {
    if dl_renameat2_noreplace(folder, aside, folder, name) != 0 { throw .last }
  }
}
