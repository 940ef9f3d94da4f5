import DLSyncModel

/// What is known of a part file's bytes, guarded by the part's lock.
struct PartLedger {
  /// Bytes at the beginning of a file that are hashed where they are written: cheaper than waking another thread.
  static let inlineLimit: Int64 = 1 << 20
  /// How far the frontier runs ahead before the follower is called.
  static let followStep: Int64 = 1 << 20

  private(set) var written = WrittenRanges()
  /// How far hashing has come or is about to come.
  private(set) var hashed: Int64 = 0
  /// Counts the times that hashing began anew; what belongs to an older one is dropped.
  private(set) var epoch = 0
  /// Whether the follower hashes this file from now on.
  private(set) var isFollowed = false
  /// Whether the follower has it in its queue or in its hands.
  private var isQueued = false
  /// Bytes that were hashed were written again: all must be read once more.
  private var isStale = false
  /// Why the follower gave up.
  private(set) var failure: DLSyncError?
  /// Whether the device may lack bytes that were written. Reading them back proves nothing: the system may still show them.
  private(set) var isDataLost = false
  private(set) var isClosed = false
  /// Whether the file that was replaced could not be removed.
  var hasLeftover = false
  /// Who waits until hashing has come to an offset.
  private var waiters: [(offset: Int64, continuation: CheckedContinuation<Void, Never>)] = []
  /// Bytes in a chunk; zero where nothing is to be confirmed.
  private(set) var chunkSize: Int64 = 0
  /// Where chunks beyond the frontier begin that have a digest of their own already.
  private var digestedChunks: Set<Int64> = []

  /// What the writer has to do after a write.
  struct Duty {
    /// Feed the bytes to the digests at once.
    var hashesInline = false
    /// Call the follower.
    var wakesFollower = false
  }

  mutating func note(_ range: ByteRange) -> Duty {
    if range.lower < hashed, !range.isEmpty { isStale = true }
    let isInOrder = range.lower == written.frontier && written.islands.isEmpty
    written.insert(range)
    if !isFollowed, isInOrder, hashed == range.lower, range.upper <= Self.inlineLimit {
      hashed = range.upper
      return Duty(hashesInline: true)
    }
    if hashed < written.frontier { isFollowed = true }
    guard written.frontier - hashed >= Self.followStep, !isQueued else { return Duty() }
    isQueued = true
    return Duty(wakesFollower: true)
  }

  /// A stretch for the follower to read and hash, at most `limit` bytes; nil when it has caught up and is let go.
  mutating func nextStretch(limit: Int64) -> (range: ByteRange, epoch: Int)? {
    guard failure == nil, !isClosed, hashed < written.frontier else {
      isQueued = false
      return nil
    }
    let start = hashed
    hashed = min(written.frontier, start + limit)
    return (ByteRange(start, hashed), epoch)
  }

  /// Those who have nothing left to wait for: what they wait for is hashed and not merely in the follower's hands.
  mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
    guard !waiters.isEmpty else { return [] }
    let isOver = failure != nil || isClosed
    // What was cut off or given up meanwhile never comes.
    let reached = hashed >= written.frontier ? .max : hashed
    defer { waiters.removeAll { isOver || reached >= $0.offset } }
    return waiters.filter { isOver || reached >= $0.offset }.map(\.continuation)
  }

  /// Somebody waits until hashing has come to an offset; whether the follower is yet to be told.
  mutating func wait(for offset: Int64, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
    waiters.append((offset, continuation))
    isFollowed = true
    defer { isQueued = true }
    return !isQueued
  }

  /// The file ends here; what lies beyond is cut off. Whether the follower must be called and waited for.
  mutating func close(at length: Int64) -> Bool {
    if isStale || hashed > length { beginHashingAgain() }
    written.cut(to: length)
    return hashed < length || isQueued
  }

  /// These bytes are there, and so many at the beginning are hashed: all without a hole, unless pieces overlap.
  mutating func adopt(_ ranges: WrittenRanges, hashed: Int64, digested: [ConfirmedPiece], epoch: Int) {
    guard epoch == self.epoch else { return }
    written = ranges
    self.hashed = hashed
    isFollowed = ranges.frontier > 0
    digestedChunks = Set(digested.map(\.range.lower))
  }

  /// Whatever comes is read by the follower, however short.
  mutating func follow() { isFollowed = true }

  /// Chunks of this size are confirmed from now on.
  mutating func keepChunks(of size: Int64) { chunkSize = size }

  /// Where hashing has to come to for every whole chunk without a hole before it to be passed; nil when it is there.
  var openBoundary: Int64? {
    guard chunkSize > 0 else { return nil }
    let boundary = written.frontier / chunkSize * chunkSize
    // The follower has taken up to `hashed` into its hands: what it took last may not be passed yet.
    return hashed < boundary || isQueued && hashed > 0 ? boundary : nil
  }

  /// Whole chunks beyond the frontier that have no digest yet, the first of them up to so many bytes.
  mutating func undigestedChunks(limit: Int64) -> [ByteRange] {
    guard chunkSize > 0, !written.islands.isEmpty else { return [] }
    let frontier = written.frontier
    digestedChunks = digestedChunks.filter { $0 >= frontier }
    var chunks: [ByteRange] = []
    let most = max(1, limit / chunkSize)
    for island in written.islands {
      var lower = (island.lower + chunkSize - 1) / chunkSize * chunkSize
      while lower + chunkSize <= island.upper, chunks.count < most {
        if !digestedChunks.contains(lower) { chunks.append(ByteRange(lower, lower + chunkSize)) }
        lower += chunkSize
      }
    }
    return chunks
  }

  mutating func noteDigested(_ chunks: [ConfirmedPiece], epoch: Int) {
    guard epoch == self.epoch else { return }
    for chunk in chunks { digestedChunks.insert(chunk.range.lower) }
  }

  mutating func reset() {
    written = WrittenRanges()
    digestedChunks = []
    failure = nil
    isDataLost = false
    isFollowed = false
    beginHashingAgain()
  }

  mutating func fail(_ error: DLSyncError) { failure = failure ?? error }
  mutating func loseData(_ error: DLSyncError) {
    fail(error)
    isDataLost = true
  }
  mutating func markClosed() { isClosed = true }

  private mutating func beginHashingAgain() {
    hashed = 0
    epoch += 1
    isStale = false
  }
}
