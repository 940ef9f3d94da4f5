import DLSyncModel

/// Whether the folders of files that are about to get their final names are still where the manifest has them.
///
/// A folder that somebody renames, or replaces by another one or a link, stays the folder that part files lie in, so nothing
/// is ever written elsewhere. But a file that got its name there would not be where its report says.
struct FolderPlaces {
  private enum Finding {
    case there
    case elsewhere
    case blocked(FolderTrouble)
  }

  private var known: [ObjectIdentifier: Finding] = [:]

  /// Throws where the path of the part's destination leads elsewhere by now. Each folder is looked up once.
  mutating func check(_ part: PartFile) throws(DLSyncError) {
    let key = ObjectIdentifier(part.folder)
    let finding = known[key] ?? Self.look(part)
    known[key] = finding
    switch finding {
    case .there: break
    case .elsewhere: throw .folderMoved(part.destination)
    case .blocked(let trouble): throw trouble.error(for: part.destination)
    }
  }

  private static func look(_ part: PartFile) -> Finding {
    let now: Folder
    do throws(FolderTrouble) { now = try Folder.open(of: part.destination, creating: false) } catch {
      switch error {
      case .absent: return .elsewhere
      case .noFolder, .leavesRoot: return .blocked(error)
      // The system does not say where the path leads: nothing is known to be wrong.
      case .nameTooLong, .system: return .there
      }
    }
    guard let held = try? FolderIdentity(part.folder.descriptor), let found = try? FolderIdentity(now.descriptor) else {
      return .there
    }
    return held == found ? .there : .elsewhere
  }
}

extension DLSyncError {
  /// The folder that the file was begun in is not the one any more that its path leads to.
  static func folderMoved(_ destination: Destination) -> DLSyncError {
    DLSyncError(
      .fileSystem, "could not publish \"\(destination)\": its folder was moved, replaced or removed meanwhile",
      hint: "apply again to fetch it to where it belongs")
  }
}
