import CPosix
package import DLSyncModel
import DLSyncSystem
import Glibc

/// Mode bits of files that are published already.
package enum Permissions {
  /// Sets the mode of the file of that identity, never through a link, and returns its new identity: the change time moved.
  /// Any other file there is `destinationModified`. It needs no read permission.
  package static func apply(
    _ mode: UInt16, to destination: Destination, identity: FileIdentity
  ) throws(DLSyncError) -> FileIdentity {
    let folder: Folder
    do throws(FolderTrouble) { folder = try Folder.open(of: destination, creating: false) } catch {
      throw error.error(for: destination)
    }
    do throws(SystemTrouble) {
      let flags = dl_o_path | O_NOFOLLOW | O_CLOEXEC
      let descriptor = uninterrupted { openat(folder.descriptor, destination.name, flags) }
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      let found = try status(descriptor)
      guard found.isRegularFile, FileIdentity(found).isUntouched(since: identity) else { throw SystemTrouble(ESTALE) }
      // A descriptor of the kind O_PATH takes no fchmod; its entry in /proc names the same file and no other.
      if chmod("/proc/self/fd/\(descriptor)", mode_t(mode)) != 0 { throw .last }
      return FileIdentity(try status(descriptor))
    } catch {
      if error.number == ESTALE {
        throw DLSyncError(
          .destinationModified, "could not set the mode of \"\(destination)\": the file was changed meanwhile",
          hint: "apply again to plan anew")
      }
      throw SystemFailure.error(error, "could not set the mode of", destination.path)
    }
  }
}
