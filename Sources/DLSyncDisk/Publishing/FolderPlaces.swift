import DLSyncModel

/// Whether the folders of files that are about to get their final names are still where the manifest has them.
///
/// A folder that somebody renames, or replaces by another one or a link, stays the folder that part files lie in, so nothing
/// is ever written elsewhere. But a file that got its name there would not be where its report says.
struct FolderPlaces {
  private var known: [ObjectIdentifier: Result<Void, DLSyncError>] = [:]

  /// Throws where the path of the part's destination leads elsewhere by now. Each folder is looked up once.
  mutating func check(_ part: PartFile) throws(DLSyncError) {
    let key = ObjectIdentifier(part.folder)
    if let result = known[key] { return try result.get() }
    let result = Self.look(part)
    known[key] = result
    try result.get()
  }

  private static func look(_ part: PartFile) -> Result<Void, DLSyncError> {
    let now: Folder
    do throws(FolderTrouble) { now = try Folder.open(of: part.destination, creating: false) } catch {
      switch error {
      case .absent: return .failure(.folderMoved(part.destination))
      case .noFolder, .leavesRoot: return .failure(error.error(for: part.destination))
      // The system does not say where the path leads: nothing is known to be wrong.
      case .nameTooLong, .system: return .success(())
      }
    }
    guard let held = try? FolderIdentity(part.folder.descriptor), let found = try? FolderIdentity(now.descriptor) else {
      return .success(())
    }
    return held == found ? .success(()) : .failure(.folderMoved(part.destination))
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
