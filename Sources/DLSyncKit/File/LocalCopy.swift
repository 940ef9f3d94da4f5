internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading

/// Copies between destinations and the cache, on a thread of their own: a large copy must not hold up the transfers.
actor CopyThread {
  private let executor = ThreadExecutor(name: "dlsync-copy")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var writer: CacheWriter?
  /// Ends what goes into the cache. Files on their way to a destination have tokens of their own.
  nonisolated let cancel = CancelToken()

  init(cache: ContentCache?) { writer = cache.map { CacheWriter($0) } }

  func copy(
    from source: Destination, identity: FileIdentity, into part: PartFile, cancel: CancelToken
  ) throws(DLSyncError) -> ByteCount {
    try Copier.copy(from: source, identity: identity, into: part, cancel: cancel)
  }

  /// Puts a published file into the cache, where it is found after `endKeeping` or already: answers whether all are. After
  /// an error nothing goes there any more.
  func keep(
    _ source: Destination, _ published: PublishedFile, digests: [Digest], leaving: Int64
  ) throws(DLSyncError) -> Bool {
    guard !cancel.isCancelled, let writer else { return true }
    do throws(DLSyncError) {
      try writer.add(source, published, digests: digests, leaving: leaving, cancel: cancel)
      return writer.isSealed
    } catch {
      // A file that was changed right after it came is no trouble of the cache.
      guard error.code != .destinationModified, error.code != .canceled else { return writer.isSealed }
      self.writer = nil
      throw error
    }
  }

  /// Lets the files of this run be found in the cache.
  func endKeeping() throws(DLSyncError) { try writer?.seal() }

  /// Looks through whole folders.
  func removePartialData(of entries: [FileEntry]) { removeLeftovers(of: entries) }

  nonisolated func stop() { executor.stop() }
}
