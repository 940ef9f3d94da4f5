import CPosix
import DLSyncModel
import DLSyncSystem
import Glibc

/// Makes the names of moved files durable: every folder once, or the whole file system where there are many.
enum FolderFlush {
  /// From this many folders on one `syncfs` costs less.
  private static let manyFolders = 8

  /// One result for each part, nil where all went well.
  static func run(_ parts: [PartFile]) -> [DLSyncError?] {
    var groups: [FolderIdentity: [Int]] = [:]
    var unknown: [Int] = []
    // Most files of a group share their folder: each is looked at once.
    var last: (folder: ObjectIdentifier, identity: FolderIdentity)?
    for (index, part) in parts.enumerated() {
      let folder = ObjectIdentifier(part.folder)
      if last?.folder != folder { last = (try? FolderIdentity(part.folder.descriptor)).map { (folder, $0) } }
      guard let identity = last?.identity else {
        unknown.append(index)
        continue
      }
      groups[identity, default: []].append(index)
    }
    var results = [DLSyncError?](repeating: nil, count: parts.count)
    var flushedDevices: Set<UInt64> = []
    for (key, group) in groups where !flushedDevices.contains(key.device) {
      // A folder that was made just now has a name in its own folder, which must last, too.
      let isNew = group.contains { parts[$0].isInNewFolder }
      var trouble: DLSyncError?
      if isNew || groups.count >= manyFolders {
        do throws(SystemTrouble) {
          try flushFileSystem(parts[group[0]])
          flushedDevices.insert(key.device)
          for (other, members) in groups where other.device == key.device {
            for index in members { parts[index].folder.settle() }
          }
          continue
        } catch {
          trouble = isNew ? failure(error, parts[group[0]]) : flush(parts[group[0]])
        }
      } else {
        trouble = flush(parts[group[0]])
      }
      for index in group { results[index] = trouble }
    }
    for index in unknown { results[index] = flush(parts[index]) }
    return results
  }

  private static func flushFileSystem(_ part: PartFile) throws(SystemTrouble) {
    let trouble = try part.body.use { descriptor in
      uninterrupted { dl_syncfs(descriptor) } == 0 ? nil : SystemTrouble.last
    }
    if let trouble { throw trouble }
  }

  private static func flush(_ part: PartFile) -> DLSyncError? {
    do throws(SystemTrouble) {
      try part.folder.flush()
      return nil
    } catch {
      // A folder that may be written and not read cannot be opened for flushing, and some file systems flush no folders.
      if [EACCES, EINVAL].contains(error.number), (try? flushFileSystem(part)) != nil { return nil }
      return failure(error, part)
    }
  }

  private static func failure(_ trouble: SystemTrouble, _ part: PartFile) -> DLSyncError {
    SystemFailure.error(trouble, "could not flush the folder of", part.destination.path)
  }
}
