internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// Chunks are recorded while bytes come, so that a later run can go on from them.
///
/// The order for each group of chunks: bytes written → chunks proved → chunks recorded with their proofs. Their data is
/// flushed beside that, as fast as the device takes it: a record is a claim that is held against the bytes before it is
/// believed, so it may be there before the data is. A kill costs what was not recorded, a loss of power what was not
/// flushed.
extension Execution {
  /// Between the beginnings of two confirmations, in nanoseconds. What comes meanwhile is lost with a kill, and so is what
  /// comes until it is recorded: together less than a second's worth.
  private static let confirmInterval: Int64 = 200_000_000
  /// So many bytes that came ahead of order are proved before they are recorded; others follow at once.
  private static let confirmStep: Int64 = 64 << 20
  /// A file that will be there within this time is not confirmed before.
  private static let confirmPatience: Int64 = 100_000_000
  /// Between two flushes: what comes meanwhile is lost with the power. More often would cost: while the file system writes
  /// its journal, writing waits.
  private static let flushInterval: Int64 = 2_000_000_000
  /// A file that will be there within this time is not flushed before.
  private static let flushPatience: Int64 = 1_000_000_000

  /// From now on chunks are recorded, until `endConfirming`.
  func beginConfirming(_ job: FileJob) {
    guard job.confirmation == nil else { return }
    job.resumption.confirmedAt = .now
    job.resumption.confirmedProgress = job.progress.value
    let file = job.file
    job.confirmation = Task { await self.keepConfirming(file) }
    job.flushing = Task { await self.keepFlushing(file) }
  }

  private func keepConfirming(_ file: Int) async {
    while !Task.isCancelled {
      guard let job = jobs[file] else { return }
      await executor.sleep(until: job.resumption.confirmedAt.advanced(by: Self.confirmInterval))
      let seconds = MonotonicInstant.now.seconds(since: job.resumption.confirmedAt)
      let came = job.progress.value - job.resumption.confirmedProgress
      if job.ends(within: Self.confirmPatience, at: Double(came) / seconds) {
        await executor.sleep(until: MonotonicInstant.now.advanced(by: Self.confirmPatience))
      }
      var isBehind = true
      while isBehind, !Task.isCancelled { isBehind = await confirm(job, limit: Self.confirmStep) }
    }
  }

  private func keepFlushing(_ file: Int) async {
    while !Task.isCancelled, let before = jobs[file]?.progress.value {
      await executor.sleep(until: MonotonicInstant.now.advanced(by: Self.flushInterval))
      guard !Task.isCancelled, let job = jobs[file], let part = job.part else { return }
      let pace = Double(job.progress.value - before) / (Double(Self.flushInterval) / 1e9)
      if job.ends(within: Self.flushPatience, at: pace) { continue }
      await partThreads.flusher.flush(part)
      if part.hasLostData { return disown(job) }
    }
  }

  /// What was recorded of bytes that never reached the device is taken back at once: after a kill nobody would know.
  private func disown(_ job: FileJob) {
    job.resumption.confirms = false
    forgetPieces(job)
    hurryJournal()
  }

  /// Records whole chunks: all, or as many as are proved at once and a limited number beside. Answers whether there may be
  /// more of these.
  @discardableResult
  private func confirm(_ job: FileJob, limit: Int64? = nil) async -> Bool {
    job.resumption.confirmedAt = .now
    job.resumption.confirmedProgress = job.progress.value
    guard let part = job.part, job.resumption.confirms else { return false }
    let pieces: [ConfirmedPiece]
    do throws(DLSyncError) {
      pieces = try await partThreads.confirmer.confirm(part, limit: limit)
    } catch {
      // What could not be read back is not confirmed; whether it is trouble shows where the file is finished.
      return false
    }
    guard !pieces.isEmpty, !part.hasLostData else { return false }
    let id = job.entry.id
    var changes = journal.take(id)
    if job.resumption.hasStalePieces { changes.append(.piecesDropped(id)) }
    changes.append(.confirmed(id, pieces: pieces))
    job.resumption.hasStalePieces = false
    job.resumption.hasPieces = true
    do throws(DLSyncError) { try await store.update(changes, now: .now) } catch { fail(error) }
    let proved = pieces.reduce(0) { $0 + ($1.kind == .own ? $1.range.length : 0) }
    return limit.map { proved + job.resumption.chunkSize > $0 } ?? false
  }

  /// The attempt's bytes are over: nobody confirms or flushes any more when this returns. What an incomplete attempt
  /// brought is confirmed to the last chunk.
  func endConfirming(_ job: FileJob, isComplete: Bool) async {
    job.confirmation?.cancel()
    job.flushing?.cancel()
    await job.confirmation?.value
    await job.flushing?.value
    job.confirmation = nil
    job.flushing = nil
    if !isComplete { await confirm(job) }
  }

  /// The digests of a finished file's chunks, as far as none are recorded: they tell later which part of a damaged file is
  /// still right. They are written after the data's flush, with the intent.
  func lastPieces(_ job: FileJob, _ part: PartFile) -> [TaskChange] {
    let pieces = part.takeProved()
    guard job.resumption.confirms, !pieces.isEmpty else { return [] }
    let id = job.entry.id
    return (job.resumption.hasStalePieces ? [.piecesDropped(id)] : []) + [.confirmed(id, pieces: pieces)]
  }
}

extension FileJob {
  /// Whether the rest comes within `time` (nanoseconds), at a pace of so many bytes a second.
  fileprivate func ends(within time: Int64, at pace: Double) -> Bool {
    total.value >= 0 && Double(total.value - progress.value) <= pace * Double(time) / 1e9
  }
}
