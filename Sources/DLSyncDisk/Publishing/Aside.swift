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
  private let destination: Destination
  private let aside: String

  private var name: String { destination.name }

  init(_ destination: Destination, of task: TaskID, in folder: Folder) {
    self.folder = folder.descriptor
    self.destination = destination
    aside = ".dlsync-\(task).aside"
  }

  /// Gives a file that a killed process took aside its name back: it is looked at anew then, as if nothing had happened.
  /// Where something else has the name by now it stays as it is, because nothing tells whose it is.
  func recover() {
    guard (try? status(folder, aside))?.isRegularFile == true else { return }
    _ = dl_renameat2_noreplace(folder, aside, folder, name)
  }

  /// Whether it was removed; false where something else is there. What is not removed has its name again, and where somebody
  /// took that in the same moment, the error names the place. `action` is the beginning of its sentence: `could not delete`.
  func remove(_ identity: FileIdentity, _ action: String) throws(DLSyncError) -> Bool {
    do throws(SystemTrouble) {
      guard FileIdentity(try status(folder, name)).isUntouched(since: identity) else { return false }
      guard try take() else { return true }
    } catch {
      throw SystemFailure.error(error, action, destination.path)
    }
    var trouble: SystemTrouble?
    do throws(SystemTrouble) {
      if FileIdentity(try status(folder, aside)).isSameFile(as: identity) {
        if unlinkat(folder, aside, 0) == 0 { return true }
        trouble = .last
      }
    } catch {
      trouble = error
    }
    if dl_renameat2_noreplace(folder, aside, folder, name) != 0 { throw stranded(.last) }
    if let trouble { throw SystemFailure.error(trouble, action, destination.path) }
    return false
  }

  /// Takes the file aside. False where that cannot be in one step that replaces nothing: then the look just before has to do,
  /// and it is removed already.
  private func take() throws(SystemTrouble) -> Bool {
    if dl_renameat2_noreplace(folder, name, folder, aside) == 0 { return true }
    guard [EINVAL, ENOSYS, EEXIST].contains(errno) else { throw .last }
    if unlinkat(folder, name, 0) != 0 { throw .last }
    return false
  }

  /// The file cannot have its name back. It gets one that nobody takes for something of ours.
  private func stranded(_ trouble: SystemTrouble) -> DLSyncError {
    let name = KeptFile.put(aside, in: folder) ?? aside
    return DLSyncError(
      .destinationModified,
      "\"\(destination)\" was changed in the last moment, and what lay there could not be put back: it lies beside it as "
        + "\"\(name)\"",
      hint: "look at both, and move the one away that you do not want", .init(underlying: trouble.record))
  }
}
