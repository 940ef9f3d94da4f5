internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading

/// Copies between destinations, on a thread of their own: a large copy must not hold up the transfers.
actor CopyThread {
  private let executor = ThreadExecutor(name: "dlsync-copy")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func copy(
    from source: Destination, identity: FileIdentity, into part: PartFile, cancel: CancelToken
  ) throws(DLSyncError) -> ByteCount {
    try Copier.copy(from: source, identity: identity, into: part, cancel: cancel)
  }

  /// Looks through whole folders.
  func removePartialData(of entries: [FileEntry]) { removeLeftovers(of: entries) }

  nonisolated func stop() { executor.stop() }
}
