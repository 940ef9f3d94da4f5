internal import DLSyncModel
internal import DLSyncThreading

/// A body that is kept in memory: for lists, which are small.
final class MemorySink: ByteSink {
  private let kept = Locked<[UInt8]>([])
  private let limit: Int

  /// More than `limit` bytes are an error.
  init(limit: Int) { self.limit = limit }

  /// What came so far.
  var bytes: [UInt8] { kept.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DLSyncError) {
    guard offset + Int64(bytes.count) <= Int64(limit) else {
      throw DLSyncError(.sizeMismatch, "it is larger than \(ByteCount(Int64(limit)))")
    }
    kept.withLock { kept in
      let start = Int(offset)
      if kept.count == start {
        kept.append(contentsOf: bytes)
      } else {
        kept.removeLast(max(0, kept.count - start))
        kept.append(contentsOf: repeatElement(0, count: start - kept.count))
        kept.append(contentsOf: bytes)
      }
    }
  }
}
