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
