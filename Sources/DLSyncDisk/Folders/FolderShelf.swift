import DLSyncModel
import DLSyncThreading

/// The folders that files were put into a moment ago, kept open: a manifest names many files of one folder, mostly one after
/// another. Confined to one thread.
///
/// A folder that is renamed meanwhile stays the same folder, as it does for a file on its way; it is looked up anew after a
/// second, so that what somebody puts in its place is found by the files that follow.
package final class FolderShelf {
  private struct Place {
    let root: String?
    let path: String
    let folder: Folder
    let isWritable: Bool
    let openedAt: MonotonicInstant

    func isOf(_ destination: Destination, _ path: String) -> Bool {
      self.path.hasSameBytes(as: path) && (root == nil) == (destination.root == nil)
        && (root ?? "").hasSameBytes(as: destination.root ?? "")
    }
  }

  private static let size = 8
  /// In nanoseconds.
  private static let lifetime: Int64 = 1_000_000_000

  /// The one used last comes last.
  private var places: [Place] = []

  package init() {}

  /// The folder of a destination; what is missing is made.
  func folder(of destination: Destination) throws(FolderTrouble) -> Folder {
    let path = destination.folder
    let now = MonotonicInstant.now
    if let last = places.last, last.isOf(destination, path), isFresh(last, now) {
      return last.folder
    }
    if let index = places.firstIndex(where: { $0.isOf(destination, path) }) {
      let place = places.remove(at: index)
      if isFresh(place, now) {
        places.append(place)
        return place.folder
      }
    }
    let folder = try Folder.open(of: destination, creating: true)
    if places.count == Self.size { places.removeFirst() }
    places.append(
      Place(root: destination.root, path: path, folder: folder, isWritable: folder.isWritable, openedAt: now))
    return folder
  }

  /// Whether files can be made in the folder that was asked for last, as far as is known before one is.
  var isLastWritable: Bool { places.last?.isWritable ?? false }

  private func isFresh(_ place: Place, _ now: MonotonicInstant) -> Bool {
    now < place.openedAt.advanced(by: Self.lifetime) && place.folder.isLinked
  }
}
