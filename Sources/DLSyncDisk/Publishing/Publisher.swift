import CPosix
package import DLSyncModel
import DLSyncSystem
import Glibc

/// Brings complete part files to their final names, in batches and in the order of durable effects:
///
/// 1. `flush`: attributes are set, the data reaches the device;
/// 2. `identities`: what the caller records as its intent, before
/// 3. `move`: the final names, atomically, replacing nothing or exactly what the plan saw; the folders are flushed; what
///    the caller records as published.
///
/// A crash between any two leaves garbage at most: a part file, or a published file that the intent explains. Everything
/// blocks: it runs on a thread of the caller's own.
package struct Publisher: Sendable {
  package init() {}

  /// Sets mode and time and makes the data durable. One result for each publication, nil where all went well.
  package func flush(_ batch: [Publication]) -> [DLSyncError?] {
    DataFlush.run(batch)
  }

  /// What each part file is right now: after `flush` and before `move`, the intent to be recorded. The move changes only
  /// the change time.
  package func identities(_ batch: [Publication]) -> [Result<PublishedFile, DLSyncError>] {
    batch.map { publication in
      Result { () throws(DLSyncError) in
        do throws(SystemTrouble) {
          let identity = try publication.part.identity()
          return PublishedFile(fingerprint: publication.fingerprint, identity: identity, recordedAt: .now)
        } catch {
          throw SystemFailure.error(
            error, "could not look at the partial data of", publication.part.destination.path)
        }
      }
    }
  }

  /// Moves each file to its destination and makes the names durable. After a success the part is closed; after a
  /// failure it is where it was, unless only the flush of its folder or the look behind the move failed (`isPlaced`), or
  /// that folder is somewhere else: then it is gone.
  ///
  /// The result's identity was looked at within the clock's grain of its change, so it is doubtful until `confirm`.
  package func move(_ batch: [Publication]) -> [Result<PublishedFile, DLSyncError>] {
    var places = FolderPlaces()
    let moves = batch.map { publication in
      Result { () throws(DLSyncError) in
        do throws(DLSyncError) { try places.check(publication.part) } catch {
          // Whoever begins anew would not find it where it is now.
          publication.part.discard()
          throw error
        }
        return try FinalMove(publication).run()
      }
    }
    let moved = batch.indices.filter { if case .success = moves[$0] { true } else { false } }
    let troubles = FolderFlush.run(moved.map { batch[$0].part })
    var results = moves
    for (index, trouble) in zip(moved, troubles) {
      if let trouble { results[index] = .failure(trouble.ofPlaced) }
      batch[index].part.release()
    }
    return zip(batch, results).map { publication, result in
      result.map { PublishedFile(fingerprint: publication.fingerprint, identity: $0, recordedAt: .now) }
    }
  }

  /// Whether a change of these files from now on would have another stamp than their move had: the clock that stamped it has
  /// ticked, or the file system stamps every change after a look with a moment of its own (Linux 6.13 and newer, "multigrain
  /// timestamps"). `since` is what the clock showed before the move; a stamp that it cannot have made is another machine's,
  /// of which nothing is known.
  package func leavesNoDoubt(_ files: [(part: PartFile, published: PublishedFile)], since: Int64) -> Bool {
    let tick = SystemClock.stamp
    let now = SystemClock.now
    return files.allSatisfy { file in
      let changed = file.published.identity.changed
      guard since <= changed else { return false }
      // A stamp between the last tick and now was not made by the clock that ticks.
      return changed < tick || changed > tick && changed <= now && file.part.folder.stampsWithThisClock
    }
  }

  /// Looks again at files that `leavesNoDoubt` said so of, or that were published at least `PublishedFile.clockGrain` ago:
  /// the same file with a moment that leaves no doubt, or nil where it is not that file any more.
  package func confirm(_ files: [(part: PartFile, published: PublishedFile)], since: Int64) -> [PublishedFile?] {
    files.map { file in
      let isPast = leavesNoDoubt([file], since: since)
      guard let found = try? status(file.part.folder.descriptor, file.part.destination.name), found.isRegularFile,
        FileIdentity(found).isUntouched(since: file.published.identity)
      else { return nil }
      // As if it had been looked at when the slowest kernel's clock would have ticked as well.
      let earliest = isPast ? file.published.identity.changed + PublishedFile.clockGrain : 0
      return PublishedFile(
        fingerprint: file.published.fingerprint, identity: FileIdentity(found),
        recordedAt: max(.now, Timestamp(nanoseconds: earliest)))
    }
  }
}
