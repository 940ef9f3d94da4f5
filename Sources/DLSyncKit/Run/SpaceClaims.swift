internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading

/// What cannot fit is not begun: asked where the manifest declares the length, and again when the server tells it.
extension Execution {
  /// Notes that the file will take `total` bytes. Throws `diskFull` where its file system has no room for what is missing of
  /// it, beside what other running files will still write there.
  func claimSpace(for job: FileJob, total: Int64) throws(DLSyncError) {
    let (sum, isTooMuch) = space.promised.addingReportingOverflow(total - job.promisedBytes)
    guard !isTooMuch else {
      // A server may tell any length up to 2^63 - 1.
      releaseSpace(of: job)
      throw .noRoom(
        job.entry, total: ByteCount(total), free: freeSpace(for: job.entry.destination) ?? .zero, others: .zero)
    }
    space.promised = sum
    job.promisedBytes = total
    // Almost always there is room for everything that is on its way, whatever its file system.
    let folder = job.entry.destination.folder
    if let room = space.room, room.folder.hasSameBytes(as: folder), space.promised < room.free / 2,
      MonotonicInstant.now < room.validUntil
    {
      return
    }
    guard let free = freeSpace(for: job.entry.destination) else { return }
    space.room = KnownRoom(folder: folder, free: free.bytes, validUntil: .now.advanced(by: KnownRoom.lifetime))
    guard space.promised > free.bytes else { return }
    let others = promisedBytes(besides: job)
    let present = job.part.flatMap(\.diskBytes) ?? PartFile.leftoverBytes(of: job.entry)
    guard max(0, total - present) > free.bytes - others else { return }
    releaseSpace(of: job)
    throw .noRoom(job.entry, total: ByteCount(total), free: free, others: ByteCount(others))
  }

  /// The file will write nothing more.
  func releaseSpace(of job: FileJob) {
    space.promised -= job.promisedBytes
    job.promisedBytes = 0
  }

  /// What other running files will still write to the file system of this one.
  private func promisedBytes(besides job: FileJob) -> Int64 {
    guard let device = fileSystem(of: job.entry.destination) else { return 0 }
    return jobs.values.reduce(0) { sum, other in
      guard other !== job, other.promisedBytes > 0, fileSystem(of: other.entry.destination) == device else {
        return sum
      }
      return sum + max(0, other.promisedBytes - other.progress.value)
    }
  }
}

/// What running files will take, on whatever file system, and where there was room for it.
struct SpaceLedger {
  /// In bytes.
  var promised: Int64 = 0
  var room: KnownRoom?
}

/// How much room a folder's file system had a moment ago: where there is twice what is promised, small files need not ask
/// one by one.
struct KnownRoom {
  /// In nanoseconds.
  static let lifetime: Int64 = 50_000_000

  let folder: String
  let free: Int64
  let validUntil: MonotonicInstant
}

extension DLSyncError {
  fileprivate static func noRoom(_ entry: FileEntry, total: ByteCount, free: ByteCount, others: ByteCount)
    -> DLSyncError
  {
    let rest = others == .zero ? "" : ", of which running files will take \(others)"
    return DLSyncError(
      .diskFull,
      "\"\(entry.destination)\" needs \(total), and no space is left for it on its file system: \(free) are free\(rest)",
      hint: "make room there, then apply again")
  }
}
