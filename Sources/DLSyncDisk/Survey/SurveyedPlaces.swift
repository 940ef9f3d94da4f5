import CPosix
import DLSyncModel
import DLSyncThreading
import Glibc

/// What a survey learns of folders and file systems, gathered by all of its threads: once a folder, not once a file.
final class SurveyedPlaces: Sendable {
  private struct Key: Hashable {
    let nearest: FolderIdentity
    let rest: BytewiseText
  }

  private struct State {
    var freeSpace: [UInt64: ByteCount] = [:]
    var devices: Set<UInt64> = []
    var foldingDevices: Set<UInt64> = []
    var roots: [BytewiseText: Folder] = [:]
    /// The folders that were looked for, by path: a folder that was closed for another one is opened again later.
    var known: [BytewiseText: Key] = [:]
    var paths: [Key: String] = [:]
    var linkedPaths: Set<BytewiseText> = []
  }

  private let state = Locked(State())

  /// Free bytes of the file systems that were met.
  var freeSpace: [UInt64: ByteCount] { state.withLock { $0.freeSpace } }
  /// File systems that may take two names for one.
  var foldingDevices: Set<UInt64> { state.withLock { $0.foldingDevices } }
  /// Folders that have two paths or more; all of these paths.
  var linkedPaths: Set<BytewiseText> { state.withLock { $0.linkedPaths } }

  /// Opens the folder of a destination.
  func open(_ destination: Destination) -> FolderCache.Place {
    let place: FolderCache.Place
    do throws(FolderTrouble) {
      let folder = try Folder.open(of: destination, creating: false, openRoot: openRoot)
      if let key = known(destination.folder) {
        return FolderCache.Place(folder: .success(folder), nearest: key.nearest, rest: key.rest.text)
      }
      place = FolderCache.Place(folder: .success(folder), nearest: try? FolderIdentity(folder.descriptor), rest: "")
      note(place, folder.descriptor)
    } catch {
      guard case .absent(let nearest, let rest) = error else {
        return FolderCache.Place(folder: .failure(error), nearest: nil, rest: "")
      }
      place = FolderCache.Place(folder: .failure(error), nearest: nearest, rest: rest)
      note(place, of: destination)
    }
    notePath(destination.folder, place)
    return place
  }

  private func known(_ path: String) -> Key? { state.withLock { $0.known[BytewiseText(path)] } }

  private func openRoot(_ path: String) throws(FolderTrouble) -> Folder {
    if let root = state.withLock({ $0.roots[BytewiseText(path)] }) { return root }
    let root = try Folder.open(absolute: path, creating: false)
    state.withLock { $0.roots[BytewiseText(path)] = root }
    return root
  }

  /// A file system whose own folder is not there yet is asked through the nearest folder that is.
  private func note(_ place: FolderCache.Place, of destination: Destination) {
    guard let nearest = place.nearest, isNew(nearest.device) else { return }
    var path = destination.folder
    while path != "/" {
      if let folder = try? Folder.open(absolute: path, creating: false) { return note(place, folder.descriptor) }
      path = path.parentPath
    }
    if let folder = try? Folder.open(absolute: "/", creating: false) { note(place, folder.descriptor) }
  }

  private func note(_ place: FolderCache.Place, _ descriptor: Int32) {
    guard let device = place.nearest?.device, isNew(device) else { return }
    var space = statvfs()
    let free = fstatvfs(descriptor, &space) == 0 ? ByteCount(space) : nil
    let mayFold = !Self.exactFileSystems.contains(dl_fstatfs_type(descriptor))
    state.withLock { state in
      state.devices.insert(device)
      state.freeSpace[device] = free
      if mayFold { state.foldingDevices.insert(device) }
    }
  }

  private func isNew(_ device: UInt64) -> Bool { state.withLock { !$0.devices.contains(device) } }

  private func notePath(_ path: String, _ place: FolderCache.Place) {
    guard let nearest = place.nearest else { return }
    state.withLock { state in
      let key = Key(nearest: nearest, rest: BytewiseText(place.rest))
      if place.rest.isEmpty { state.known[BytewiseText(path)] = key }
      guard let first = state.paths[key] else {
        state.paths[key] = path
        return
      }
      if !first.hasSameBytes(as: path) {
        state.linkedPaths.insert(BytewiseText(first))
        state.linkedPaths.insert(BytewiseText(path))
      }
    }
  }

  /// File systems that tell any two names apart (linux/magic.h): ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs, NFS, ZFS, F2FS,
  /// ramfs, bcachefs. Folders of theirs that were made to fold names are too rare to look for; there the final move finds
  /// the name taken and replaces nothing.
  private static let exactFileSystems: Set<Int64> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x6969, 0x2FC1_2FC1, 0xF2F5_2010, 0x8584_58F6,
    0xCA45_1A4E,
  ]
}
