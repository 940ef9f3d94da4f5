internal import DLSyncModel

/// How a file is cut into chunks: the unit that is confirmed and resumed.
enum ChunkGrid {
  /// More would make the record of one file unwieldy.
  static let limit: Int64 = 100_000
  private static let largest: Int64 = 16 << 20

  /// The queue's size, or the next power of two with which the file has few enough chunks. A multiple of 64, because
  /// chaining values exist there alone. Throws `chunkLimitExceeded`.
  static func size(configured: ByteCount, total: Int64?) throws(DLSyncError) -> Int64 {
    var size = max(64, configured.bytes / 64 * 64)
    guard let total, total > size * limit else { return size }
    size = 1 << (Int64.bitWidth - (size - 1).leadingZeroBitCount)
    while size < largest, total > size * limit { size *= 2 }
    guard total <= size * limit else {
      throw DLSyncError(
        .chunkLimitExceeded,
        "the file has \(total) bytes: more than \(limit) chunks of \(ByteCount(size)), the largest size")
    }
    return size
  }

  /// How many whole chunks there are in ascending, disjoint ranges.
  static func wholeChunks(in ranges: [ByteRange], size: Int64) -> Int64 {
    guard size > 0 else { return 0 }
    return ranges.reduce(0) { $0 + max(0, $1.upper / size - ($1.lower + size - 1) / size) }
  }
}
