import DLSyncModel

/// How long pieces are, and which rests are worth another connection.
extension SegmentLayout {
  /// A rest that takes longer than this (seconds) at its present pace is split however short it is.
  private static let longWait = 0.05
  /// A piece takes this many times as long to come as its connection takes to bring the first byte, at least.
  private static let worth = 32.0
  /// A longer piece keeps what lies behind it out of order for too long.
  private static let longestPiece: Int64 = 32 << 20
  /// A connection that has so much to fetch until all is there, in shortest pieces, takes it at once: another request would
  /// lose a moment, and whoever ends first would wait for the others.
  private static let lastPieces = 1.5
  /// Servers that hold a connection back send a little, then wait until that was due (nginx's limit_rate, say): the request
  /// behind a piece that ends within such a step is read only after the wait. A step takes about so long (seconds).
  private static let step = 0.008
  private static let steps: ClosedRange<Int64> = 4096...65536
  /// Near the end, bytes that have come and are yet to be seen (about so many of each connection) count as missing: whoever
  /// takes the last piece would find too little left.
  private static let unseen = 48.0 * 1024

  /// How much of a hole one connection takes: two thirds of its even share of all that is missing, so that there is something
  /// left to even out at the end, within bounds, but nothing that would not be worth a request; its share of the hole where
  /// that is less.
  func pieceSize(_ hole: Int64, _ free: Int, _ expectedSpeed: Double, _ startup: Double)
    -> Int64
  {
    let everybody = Int64(segments.count + free)
    // Nobody is there to share with.
    guard everybody > 1 else { return hole }
    let least = leastPiece(expectedSpeed, startup)
    let most = min(missing / everybody * 2 / 3, Self.longestPiece)
    return min(max(most, least), max(hole / Int64(max(1, free)), smallestSplit))
  }

  /// Nothing shorter is worth a request.
  private func leastPiece(_ expectedSpeed: Double, _ startup: Double) -> Int64 {
    max(smallestSplit, Int64(min(Self.worth * startup * expectedSpeed, 1e15)))
  }

  func isWorthHelp(_ segment: Segment, _ expectedSpeed: Double, _ startup: Double) -> Bool {
    let secondsLeft = segment.secondsLeft(expectedSpeed)
    guard secondsLeft > 2 * startup else { return false }
    if segment.rest >= 2 * smallestSplit { return true }
    // Of one that has just begun nothing is known yet.
    return segment.rest >= 2 * Self.leastSplit && segment.bytesPerSecond > 0
      && secondsLeft > Self.longWait
  }

  /// The present owner keeps the part that it can bring while the newcomer brings the other; half, while speeds are
  /// unknown or alike.
  func splitPoint(_ segment: Segment, _ expectedSpeed: Double) -> Int64 {
    var share = 0.5
    if segment.bytesPerSecond > 0, expectedSpeed > 0 {
      share = min(0.5, segment.bytesPerSecond / (segment.bytesPerSecond + expectedSpeed))
    }
    let kept = Int64(Double(segment.rest) * share)
    let isShort = segment.rest < 2 * smallestSplit || share < 0.25
    let smallest = isShort ? min(Self.leastSplit, smallestSplit) : smallestSplit
    let lowest = segment.position + smallest
    let highest = segment.end - smallest
    let point = min(max(segment.position + kept, lowest), highest)
    return rounded(point, within: ByteRange(segment.position, segment.end), margin: smallest)
      ?? point
  }

  /// The nearest multiple of the smallest split that leaves a margin on both sides, if there is one: chunks that end there
  /// are whole sooner.
  func rounded(_ point: Int64, within range: ByteRange, margin: Int64) -> Int64? {
    let rounded = (point + smallestSplit / 2) / smallestSplit * smallestSplit
    return rounded >= range.lower + margin && rounded <= range.upper - margin ? rounded : nil
  }

  /// What a connection brings in one step: the greatest power of two that is not more. Pieces end at its multiples; what
  /// they end sooner or later for that is not worth a request.
  private func grain(_ expectedSpeed: Double) -> Int64 {
    let bytes = max(Int64(min(expectedSpeed * Self.step, Double(Self.steps.upperBound))), Self.steps.lowerBound)
    return min(1 << (Int64.bitWidth - 1 - bytes.leadingZeroBitCount), smallestSplit)
  }

  /// How long everything that is missing takes, when nobody is idle.
  private func timeLeft(_ expectedSpeed: Double, _ free: Int) -> Double {
    let speeds = segments.values.reduce(0) { $0 + ($1.bytesPerSecond > 0 ? $1.bytesPerSecond : expectedSpeed) }
    return Double(missing) / max(speeds + Double(free) * expectedSpeed, 1)
  }

  /// A piece near the end. The last piece of each connection is sized so that all connections end at the same moment, and is
  /// not rounded, because rounding alone would make some wait for others. The piece before the last leaves room for it, even
  /// where that makes it shorter than is otherwise worth a request: bytes behind a hole are hashed only once the hole is
  /// filled. Where little is left, every connection gets one piece.
  func lastPiece(_ hole: ByteRange, _ free: Int, _ expectedSpeed: Double, _ startup: Double) -> ByteRange? {
    guard expectedSpeed > 0, segments.count + free > 1 else { return nil }
    let share = timeLeft(expectedSpeed, free) * expectedSpeed
    guard share <= Self.lastPieces * Double(leastPiece(expectedSpeed, startup)) else { return nil }
    let smallest = min(Self.leastSplit, smallestSplit)
    let finest = max(Double(min(smallestSplit, 4 * Self.leastSplit)), Self.worth * startup * expectedSpeed)
    let isLast = isShort || share <= Self.lastPieces * finest
    // Less than the share leaves bytes for one more request, which has to cost less than what it evens out.
    let leavesMore = !isShort && startup * expectedSpeed <= Self.unseen
    let piece = isLast ? (leavesMore ? share - min(Self.unseen, share / 8) : share) : max(share * 2 / 3, finest)
    let last = leavesMore ? grain(expectedSpeed) : min(Self.steps.lowerBound, smallest)
    let unit = isLast ? last : min(2 * Self.leastSplit, smallestSplit)
    let shortest = max(smallest, unit)
    let length = max(Int64(min(piece, 1e15)) / unit * unit, shortest)
    return ByteRange(hole.lower, hole.length < length + shortest ? hole.upper : hole.lower + length)
  }
}
