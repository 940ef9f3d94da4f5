internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading

/// A thread for what takes long with partial data: neither transfers nor publishing wait for it.
actor PartThread {
  private let executor: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// `name` is what tools show.
  init(name: String) { executor = ThreadExecutor(name: name) }

  /// The chunks that are proved since the last call; with a limit what is proved at once and so many bytes beside.
  func confirm(_ part: PartFile, limit: Int64?) async throws(DLSyncError) -> [ConfirmedPiece] {
    try await part.confirm(limit: limit)
  }

  /// What counts of what an earlier run left.
  func accept(
    _ part: PartFile, _ pieces: [ConfirmedPiece], cancel: CancelToken
  ) throws(DLSyncError) -> [ByteRange] {
    try part.accept(pieces, cancel: cancel)
  }

  /// Brings what is there to the device.
  func flush(_ part: PartFile) { part.flush() }

  nonisolated func stop() { executor.stop() }
}

/// The threads of a run that work on partial data, each made when the first file needs it: most runs have none that is long
/// enough.
final class PartThreads {
  /// Finds out which chunks are proved.
  private(set) lazy var confirmer = make("dlsync-confirm")
  /// Reads again what earlier runs left.
  private(set) lazy var prover = make("dlsync-prove")
  /// Flushes their data.
  private(set) lazy var flusher = make("dlsync-flush")
  private var made: [PartThread] = []

  private func make(_ name: String) -> PartThread {
    let thread = PartThread(name: name)
    made.append(thread)
    return thread
  }

  func stop() { for thread in made { thread.stop() } }
}
