package import DLSyncModel

/// Who fetches which bytes of one file. A value that decides and does nothing.
///
/// Every connection streams one long range. A connection that runs dry takes the beginning of the first hole that nobody
/// fetches, or else a part of the rest of the one that would take longest; it never waits for a slow sibling.
///
/// Holes are given out in order and in pieces that become shorter towards the end: so the bytes without a hole before
/// them, which alone can be hashed and written back while others still come, stay close to the bytes that are there. The
/// last pieces are cut so that all connections end together.
package struct SegmentLayout: Sendable {
  package typealias SegmentID = Int

  /// The range of one connection.
  struct Segment {
    var position: Int64
    var end: Int64
    var bytesPerSecond: Double
    var rest: Int64 { max(0, end - position) }
    /// How long the rest takes at the present speed; a connection that has shown nothing yet counts as usual.
    func secondsLeft(_ expectedSpeed: Double) -> Double {
      Double(rest) / max(bytesPerSecond > 0 ? bytesPerSecond : expectedSpeed, 1)
    }
  }

  /// What a connection that has nothing to do is given.
  package enum Assignment: Equatable, Sendable {
    /// Bytes that nobody fetches.
    case hole(ByteRange)
    /// The upper part of what another connection has still to do; that one ends at the range's lower end.
    case split(of: SegmentID, ByteRange)
  }

  /// The resource's length.
  package let total: Int64
  /// No rest shorter than twice this is split, unless it would take long: a request costs a round trip.
  let smallestSplit: Int64
  /// What a slow connection is relieved of is at least this.
  static let leastSplit: Int64 = 32 * 1024
  private(set) var holes: [ByteRange]
  private(set) var segments: [SegmentID: Segment] = [:]
  /// Whether one piece for each connection brought all that was missing when they began.
  private(set) var isShort = false
  private var lastID = 0

  /// `present` are the ranges that are there already, ascending and disjoint.
  package init(total: Int64, present: [ByteRange], smallestSplit: Int64) {
    self.total = total
    self.smallestSplit = max(1, smallestSplit)
    var holes: [ByteRange] = []
    var frontier: Int64 = 0
    for range in present where range.upper > frontier {
      if range.lower > frontier { holes.append(ByteRange(frontier, range.lower)) }
      frontier = range.upper
    }
    if frontier < total { holes.append(ByteRange(frontier, total)) }
    self.holes = holes
  }

  /// Whether every byte is there.
  package var isComplete: Bool { holes.isEmpty && segments.values.allSatisfy { $0.rest == 0 } }
  /// The bytes that nobody fetches, ascending.
  package var openHoles: [ByteRange] { holes }
  var missing: Int64 { holes.reduce(0) { $0 + $1.length } + segments.values.reduce(0) { $0 + $1.rest } }

  /// A connection begins on an assignment.
  package mutating func begin(_ assignment: Assignment) -> SegmentID {
    let range: ByteRange
    switch assignment {
    case .hole(let piece):
      if let index = holes.firstIndex(where: { $0.lower <= piece.lower && piece.upper <= $0.upper }) {
        let hole = holes.remove(at: index)
        let rests = [ByteRange(hole.lower, piece.lower), ByteRange(piece.upper, hole.upper)].filter { !$0.isEmpty }
        holes.insert(contentsOf: rests, at: index)
      }
      range = piece
    case .split(let victim, let upper):
      segments[victim]?.end = upper.lower
      range = upper
    }
    lastID += 1
    segments[lastID] = Segment(position: range.lower, end: range.upper, bytesPerSecond: 0)
    return lastID
  }

  /// A connection has come so far, at this speed.
  package mutating func advance(_ id: SegmentID, to position: Int64, bytesPerSecond: Double) {
    segments[id]?.position = position
    segments[id]?.bytesPerSecond = bytesPerSecond
  }

  /// Where a connection has to stop.
  package func end(of id: SegmentID) -> Int64? { segments[id]?.end }

  /// A connection is over; what it did not bring is open again.
  package mutating func finish(_ id: SegmentID, at position: Int64) {
    guard let segment = segments.removeValue(forKey: id), position < segment.end else { return }
    let rest = ByteRange(max(position, 0), segment.end)
    let index = holes.firstIndex { $0.lower > rest.lower } ?? holes.endIndex
    holes.insert(rest, at: index)
  }

  /// A connection that has a long way to go keeps a piece of it; the rest is open for others, who are so many. Nothing
  /// where it is not worth others' while. Answers the end of the piece.
  package mutating func share(
    _ id: SegmentID, among helpers: Int, expectedSpeed: Double, startup: Double
  ) -> Int64? {
    guard holes.isEmpty, segments.count == 1, helpers > 0, let segment = segments[id],
      isWorthHelp(segment, expectedSpeed, startup)
    else { return nil }
    let rest = ByteRange(segment.position, segment.end)
    // Its own piece is as long as the others'.
    let kept = pieceSize(
      rest.length * Int64(helpers) / Int64(helpers + 1), helpers, expectedSpeed, startup)
    isShort = true
    let only = lastPiece(rest, helpers, expectedSpeed, startup)
    isShort = only != nil
    let end =
      only?.upper
      ?? rounded(segment.position + kept, within: rest, margin: smallestSplit)
      ?? segment.position + rest.length / 2
    guard end < rest.upper else { return nil }
    segments[id]?.end = end
    holes = [ByteRange(end, rest.upper)]
    return end
  }

  /// A connection that asked for bytes up to `limit` goes on through the open holes behind its end, as far as they lie
  /// within that: nobody else may fetch them. Its new end, or nil where there is nothing of that kind.
  package mutating func extend(_ id: SegmentID, upTo limit: Int64) -> Int64? {
    guard var end = segments[id]?.end else { return nil }
    let first = end
    while let index = holes.firstIndex(where: { $0.lower == end }), holes[index].upper <= limit {
      end = holes.remove(at: index).upper
    }
    segments[id]?.end = end
    return end > first ? end : nil
  }

  /// What a free connection should do; nil when there is nothing worth a request. `expectedSpeed` is what a connection
  /// usually brings (bytes a second), 0 when nothing is known yet; `startup` how long it takes to bring its first byte
  /// (seconds): what ends about as soon without help is left alone. `free` counts it and those that are free beside it.
  package func nextAssignment(expectedSpeed: Double, startup: Double = 0, free: Int = 1)
    -> Assignment?
  {
    if let (id, segment) = straggler(expectedSpeed, free) {
      return .split(of: id, ByteRange(splitPoint(segment, expectedSpeed), segment.end))
    }
    if let hole = holes.first {
      if let last = lastPiece(hole, free, expectedSpeed, startup) { return .hole(last) }
      let size = pieceSize(hole.length, free, expectedSpeed, startup)
      let end =
        rounded(hole.lower + size, within: hole, margin: max(1, min(smallestSplit, hole.length / 2)))
        ?? hole.upper
      return .hole(ByteRange(hole.lower, end))
    }
    let candidate = segments.filter { isWorthHelp($0.value, expectedSpeed, startup) }
      .max {
        ($0.value.secondsLeft(expectedSpeed), $0.key) < (
          $1.value.secondsLeft(expectedSpeed), $1.key
        )
      }
    guard let (id, segment) = candidate else { return nil }
    return .split(of: id, ByteRange(splitPoint(segment, expectedSpeed), segment.end))
  }

  /// A connection so slow that all the rest would be there long before what it has to do: it is relieved first. It holds
  /// up whatever lies behind it, too.
  private func straggler(_ expectedSpeed: Double, _ free: Int) -> (SegmentID, Segment)? {
    guard !holes.isEmpty, expectedSpeed > 0 else { return nil }
    let timeLeft = Double(missing) / (expectedSpeed * Double(segments.count + free))
    return segments.filter { _, segment in
      segment.bytesPerSecond > 0 && 3 * segment.bytesPerSecond < expectedSpeed && segment.rest >= 2 * Self.leastSplit
        && segment.secondsLeft(expectedSpeed) > 2 * timeLeft
    }.max { $0.value.secondsLeft(expectedSpeed) < $1.value.secondsLeft(expectedSpeed) }
  }
}
