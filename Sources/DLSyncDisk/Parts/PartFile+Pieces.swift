package import DLSyncModel
import DLSyncSystem
package import DLSyncThreading
import Glibc

// What an earlier run left, and what a later run may build upon.
extension PartFile {
  /// What was written and what counts of what was left, ascending and merged.
  package var present: [ByteRange] {
    ledger.withLock { ledger in
      let written = ledger.written
      return (written.frontier > 0 ? [ByteRange(0, written.frontier)] : []) + written.islands
    }
  }

  /// From now on whole chunks of this size (bytes, a multiple of 64) can be confirmed. Before the first byte and before
  /// `accept`; zero confirms nothing.
  package func keepChunks(of size: Int64) {
    precondition(size >= 0 && size % 64 == 0, "a chunk ends at a multiple of 64")
    ledger.withLock { $0.keepChunks(of: size) }
    hashing.withLock { $0.keepChunks(of: size) }
  }

  /// Reads what an earlier run left, and lets count of it what its pieces prove, each by itself; the rest is forgotten and
  /// will be written again. The running digests go on behind the beginning that is proved. Returns what counts, ascending
  /// and merged.
  ///
  /// Blocks as long as reading takes, so the caller has a thread for it. After `cancel` it throws `interrupted`, and what is
  /// there stays as it is.
  package func accept(_ pieces: [ConfirmedPiece], cancel: CancelToken? = nil) throws(DLSyncError) -> [ByteRange] {
    if case .failure(let trouble) = prove(pieces, cancel) {
      throw SystemFailure.error(trouble, "could not read the partial data of", destination.path)
    }
    if cancel?.isCancelled == true { throw DLSyncError(.interrupted, "the run was stopped") }
    return present
  }

  private func prove(_ pieces: [ConfirmedPiece], _ cancel: CancelToken?) -> Result<Void, SystemTrouble> {
    let epoch = ledger.withLock { ledger in
      ledger.reset()
      return ledger.epoch
    }
    do throws(SystemTrouble) {
      let fresh = PartHashing.fresh(algorithms)
      let proof = try body.use { descriptor throws(SystemTrouble) in
        try PieceProof.prove(pieces, descriptor: descriptor, with: fresh, cancel: cancel)
      }
      let (prefix, proved, islands) = (proof.prefix, proof.proved, proof.islands)
      hashing.withLock { $0.replace(prefix, epoch: epoch) }
      ledger.withLock { $0.adopt(proved, hashed: prefix.length, digested: islands, epoch: epoch) }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// The chunks that may be recorded as confirmed since the last call, each with what proves it. They are in the file, where
  /// no end of the process can undo them, but not yet on the device: after a loss of power the proof tells which ones are.
  /// A chunk may come twice: by itself first, and with its chaining value when everything before it is there.
  ///
  /// Chunks beyond the frontier are read and hashed by the caller, who therefore has a thread for it; at most so many bytes
  /// of them with a `limit`, so that the first need not wait for the last, and nobody waits for the follower then. One call
  /// at a time.
  package func confirm(limit: Int64? = nil) async throws(DLSyncError) -> [ConfirmedPiece] {
    if limit == nil, let boundary = ledger.withLock({ $0.openBoundary }) { await waitForFollower(at: boundary) }
    let (epoch, chunks) = ledger.withLock { ledger in
      (ledger.epoch, ledger.undigestedChunks(limit: limit ?? .max))
    }
    let chained = hashing.withLock { $0.takePending(epoch: epoch) }
    guard !chained.isEmpty || !chunks.isEmpty, !hasLostData else { return [] }
    do throws(SystemTrouble) {
      let own = try body.use { descriptor throws(SystemTrouble) in try digests(of: chunks, descriptor) }
      ledger.withLock { $0.noteDigested(own, epoch: epoch) }
      // What began anew meanwhile has other bytes. Chained pieces come last: the pieces behind them build upon them.
      return ledger.withLock { $0.epoch } == epoch ? own + chained : []
    } catch {
      hashing.withLock { $0.giveBack(chained, epoch: epoch) }
      throw SystemFailure.error(error, "could not read back the partial data of", destination.path)
    }
  }

  /// Brings what is there to the device, on a thread of the caller's own. After a failure the file can neither go on nor be
  /// built upon (`hasLostData`): the system tells of it once, and a later flush knows nothing of it.
  ///
  /// `sync` is what flushes an open file's data, as `fdatasync` does.
  package func flush(with sync: (Int32) -> Int32 = { fdatasync($0) }) {
    do throws(SystemTrouble) {
      try body.use { descriptor throws(SystemTrouble) in
        if uninterrupted({ sync(descriptor) }) != 0 { throw .last }
      }
    } catch {
      loseData(SystemFailure.error(error, "could not flush the partial data of", destination.path))
    }
  }

  func loseData(_ error: DLSyncError) { ledger.withLock { $0.loseData(error) } }

  /// Whether a flush failed since the file was last empty: then nothing that was written counts, in no later run either.
  /// What is read back may come from memory, and the device has something else.
  package var hasLostData: Bool { ledger.withLock { $0.isDataLost } }

  /// The SHA-256 of a stretch, read back; nil where it is not there or cannot be read.
  package func digest(of range: ByteRange) async -> Digest? {
    await HashingThread.shared.actor.run { [self] in
      try? body.use { descriptor throws(SystemTrouble) in try digests(of: [range], descriptor) }
        .first?.digest
    }
  }

  /// The chunks that hashing proved since the last `confirm`, for a file that is finished; whoever records them flushes the
  /// data first.
  package func takeProved() -> [ConfirmedPiece] {
    let epoch = ledger.withLock { $0.epoch }
    return hashing.withLock { $0.takePending(epoch: epoch) }
  }

  private func digests(of chunks: [ByteRange], _ descriptor: Int32) throws(SystemTrouble) -> [ConfirmedPiece] {
    guard !chunks.isEmpty else { return [] }
    let reader = StretchReader(descriptor)
    defer { reader.close() }
    var pieces: [ConfirmedPiece] = []
    for chunk in chunks {
      var running = RunningSHA256()
      // Shorter than what was written: it was emptied meanwhile.
      guard try reader.read(chunk, { running.update($0) }) else { return pieces }
      if let digest = Digest(.sha256, bytes: running.value) {
        pieces.append(ConfirmedPiece(range: chunk, digest: digest, kind: .own))
      }
    }
    return pieces
  }
}
