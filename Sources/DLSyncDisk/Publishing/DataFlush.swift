import CPosix
import DLSyncModel
import DLSyncSystem
import Glibc

/// Brings the data of part files to the device.
///
/// A group of small files on one file system is flushed by one `syncfs`, several times faster than file by file; it also
/// flushes everything else that is dirty there, so it is not used for a few files or for large ones.
enum DataFlush {
  /// From this many small files on one file system `syncfs` is the faster way.
  private static let groupSize = 8
  /// Larger files are flushed by themselves; most of their data is on its way already.
  private static let smallFile: Int64 = 1 << 20

  static func run(_ batch: [Publication]) -> [DLSyncError?] {
    var results = [DLSyncError?](repeating: nil, count: batch.count)
    var groups: [UInt64: [Int]] = [:]
    var single: [Int] = []
    for (index, publication) in batch.enumerated() {
      do throws(DLSyncError) {
        let identity = try prepare(publication)
        if identity.size < smallFile {
          groups[identity.device, default: []].append(index)
        } else {
          single.append(index)
        }
      } catch {
        results[index] = error
      }
    }
    for group in groups.values {
      guard group.count >= groupSize, flushFileSystem(of: batch[group[0]].part) else {
        // Few files; or something on the file system could not be written, perhaps none of these: each is asked.
        single += group
        continue
      }
      for index in group { results[index] = lostData(of: batch[index].part) }
    }
    for index in single.sorted() { results[index] = flushFile(batch[index]) }
    return results
  }

  /// The file itself, where its bytes are still in memory; mode and modification time.
  private static func prepare(_ publication: Publication) throws(DLSyncError) -> FileIdentity {
    let part = publication.part
    try part.makeFile()
    var action = "could not set the mode of"
    do throws(SystemTrouble) {
      return try part.body.use { descriptor throws(SystemTrouble) in
        if let mode = mode(of: publication) {
          if fchmod(descriptor, mode_t(mode)) != 0 { throw .last }
        }
        action = "could not set the time of"
        if let modified = publication.modified { try set(modified, descriptor) }
        action = "could not look at"
        return FileIdentity(try status(descriptor))
      }
    } catch {
      throw SystemFailure.error(error, action, part.destination.path)
    }
  }

  /// The mode that is yet to be set; nil where the file was made with it.
  static func mode(of publication: Publication) -> UInt16? {
    publication.permissions ?? (publication.part.hasInheritedMode ? 0o666 & ~Umask.value : nil)
  }

  private static func set(_ modified: Timestamp, _ descriptor: Int32) throws(SystemTrouble) {
    var (seconds, nanoseconds) = modified.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if nanoseconds < 0 { (seconds, nanoseconds) = (seconds - 1, nanoseconds + 1_000_000_000) }
    let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)  // UTIME_OMIT, a macro that Swift does not import
    let times = [unchanged, timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))]
    if futimens(descriptor, times) != 0 { throw .last }
  }

  private static func flushFileSystem(of part: PartFile) -> Bool {
    let isFlushed = try? part.body.use { descriptor in uninterrupted { dl_syncfs(descriptor) } == 0 }
    return isFlushed ?? false
  }

  private static func lostData(of part: PartFile) -> DLSyncError? {
    let trouble = try? part.body.use { descriptor throws(SystemTrouble) in loss(of: descriptor) }
    return trouble.flatMap(\.self).map { loss(of: part, $0) }
  }

  /// `syncfs` tells only what went wrong since the one file was opened that it was asked through, and before Linux 5.8
  /// nothing; each file knows for itself.
  static func loss(of descriptor: Int32) -> SystemTrouble? {
    guard uninterrupted({ dl_wait_written(descriptor) }) != 0 else { return nil }
    let trouble = SystemTrouble.last
    // File systems that do not know the call have told with `syncfs` what there is to tell.
    return [EIO, ENOSPC, EDQUOT].contains(trouble.number) ? trouble : nil
  }

  private static func flushFile(_ publication: Publication) -> DLSyncError? {
    do throws(SystemTrouble) {
      try publication.part.body.use { descriptor throws(SystemTrouble) in
        // Mode and time are no data: only fsync takes them along.
        let isPlain = mode(of: publication) == nil && publication.modified == nil
        if uninterrupted({ isPlain ? fdatasync(descriptor) : fsync(descriptor) }) != 0 { throw .last }
      }
      return nil
    } catch {
      return loss(of: publication.part, error)
    }
  }

  /// The part knows from now on that nobody may build upon it.
  private static func loss(of part: PartFile, _ error: SystemTrouble) -> DLSyncError {
    let failure = SystemFailure.error(error, "could not flush", part.destination.path)
    part.loseData(failure)
    return failure
  }
}
