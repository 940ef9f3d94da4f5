internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading

/// Flushes partial data and finds out which chunks of it are proved, on a thread of its own: neither transfers nor
/// publishing wait for it.
actor ConfirmThread {
  private let executor = ThreadExecutor(name: "dlsync-confirm")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The chunks that are durable and proved since the last call.
  func confirm(_ part: PartFile) async throws(DLSyncError) -> [ConfirmedPiece] { try await part.confirm() }

  nonisolated func stop() { executor.stop() }
}
