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
  private(set) var isClosed = false
  /// Waits until hashing has come to an offset.
  var waiter: CheckedContinuation<Void, Never>?
  private var waitsFor: Int64 = 0

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

  /// The waiter, when there is nothing left to wait for.
  mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
    guard hashed >= waitsFor || failure != nil || isClosed else { return nil }
    defer { waiter = nil }
    return waiter
  }

  /// The file ends here; what lies beyond is cut off. Whether the follower must be called and waited for.
  mutating func close(at length: Int64) -> Bool {
    if isStale || hashed > length { beginHashingAgain() }
    written.cut(to: length)
    waitsFor = length
    guard hashed < length || isQueued else { return false }
    isFollowed = true
    return true
  }

  /// Whether the follower is yet to be told.
  mutating func enqueue() -> Bool {
    defer { isQueued = true }
    return !isQueued
  }

  /// The prefix is there and hashed already.
  mutating func adopt(prefix: Int64, epoch: Int) {
    guard epoch == self.epoch else { return }
    hashed = prefix
    written.insert(ByteRange(0, prefix))
    isFollowed = prefix > 0
  }

  /// Whatever comes is read by the follower, however short.
  mutating func follow() { isFollowed = true }

  mutating func reset() {
    written = WrittenRanges()
    failure = nil
    isFollowed = false
    beginHashingAgain()
  }

  mutating func fail(_ error: DLSyncError) { failure = failure ?? error }
  mutating func markClosed() { isClosed = true }

  private mutating func beginHashingAgain() {
    hashed = 0
    epoch += 1
    isStale = false
  }
}
