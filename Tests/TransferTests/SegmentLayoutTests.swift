import DLSyncModel
import Testing

@testable import DLSyncTransfer

@Suite("SegmentLayout")
struct SegmentLayoutTests {
  @Test func theFirstConnectionTakesWhatIsMissing() {
    let layout = SegmentLayout(total: 100, present: [ByteRange(0, 40)], smallestSplit: 10)
    #expect(layout.nextAssignment(expectedSpeed: 0) == .hole(ByteRange(40, 100)))
  }

  @Test func aFreeConnectionTakesHalfOfTheLargestRest() {
    var layout = SegmentLayout(total: 80, present: [], smallestSplit: 10)
    let first = layout.begin(.hole(ByteRange(0, 80)))
    #expect(layout.nextAssignment(expectedSpeed: 0) == .split(of: first, ByteRange(40, 80)))
    let second = layout.begin(.split(of: first, ByteRange(40, 80)))
    #expect(layout.end(of: first) == 40)
    layout.advance(first, to: 35, bytesPerSecond: 1)
    #expect(layout.nextAssignment(expectedSpeed: 1) == .split(of: second, ByteRange(60, 80)))
  }

  @Test func aSplitFallsOnAMultipleOfTheSmallestWhereThereIsOne() {
    var layout = SegmentLayout(total: 100, present: [], smallestSplit: 10)
    let only = layout.begin(.hole(ByteRange(0, 100)))
    layout.advance(only, to: 33, bytesPerSecond: 1)
    #expect(layout.nextAssignment(expectedSpeed: 1) == .split(of: only, ByteRange(70, 100)))
  }

  @Test func aSlowSiblingKeepsOnlyWhatItCanBringInTime() {
    var layout = SegmentLayout(total: 1000, present: [], smallestSplit: 10)
    let slow = layout.begin(.hole(ByteRange(0, 1000)))
    layout.advance(slow, to: 0, bytesPerSecond: 5)
    guard case .split(slow, let range) = layout.nextAssignment(expectedSpeed: 95) else {
      Issue.record("no split")
      return
    }
    #expect(range == ByteRange(50, 1000))
  }

  @Test func aRestThatIsNotWorthARequestIsLeftAlone() {
    var layout = SegmentLayout(total: 19, present: [], smallestSplit: 10)
    _ = layout.begin(.hole(ByteRange(0, 19)))
    #expect(layout.nextAssignment(expectedSpeed: 0) == nil)
  }

  @Test func whatABrokenConnectionLeavesIsTakenByAnother() {
    var layout = SegmentLayout(total: 100, present: [], smallestSplit: 10)
    let first = layout.begin(.hole(ByteRange(0, 100)))
    layout.finish(first, at: 30)
    #expect(layout.nextAssignment(expectedSpeed: 0) == .hole(ByteRange(30, 100)))
    #expect(!layout.isComplete)
  }

  @Test func whatNobodyElseMayFetchGoesBackToWhoAskedForIt() {
    var layout = SegmentLayout(total: 100, present: [], smallestSplit: 10)
    let first = layout.begin(.hole(ByteRange(0, 100)))
    let second = layout.begin(.split(of: first, ByteRange(50, 100)))
    let third = layout.begin(.split(of: second, ByteRange(75, 100)))
    #expect(layout.extend(first, upTo: 100) == nil)
    layout.finish(second, at: 50)
    #expect(layout.extend(first, upTo: 60) == nil)
    #expect(layout.extend(first, upTo: 100) == 75)
    layout.finish(third, at: 80)
    #expect(layout.extend(first, upTo: 100) == nil)
    layout.finish(first, at: 75)
    #expect(layout.openHoles == [ByteRange(80, 100)])
  }

  @Test func aSlowRestIsSplitHoweverShortItIs() {
    var layout = SegmentLayout(total: 1 << 20, present: [], smallestSplit: 1 << 20)
    let slow = layout.begin(.hole(ByteRange(0, 1 << 20)))
    #expect(
      layout.nextAssignment(expectedSpeed: 1_000_000) == nil, "nothing is known of its pace yet")
    layout.advance(slow, to: 0, bytesPerSecond: 50_000_000)
    #expect(layout.nextAssignment(expectedSpeed: 50_000_000) == nil, "it is there in no time")
    layout.advance(slow, to: 0, bytesPerSecond: 50_000)
    guard case .split(slow, let range) = layout.nextAssignment(expectedSpeed: 1_000_000) else {
      Issue.record("the slow connection keeps everything")
      return
    }
    #expect(range.lower < 60_000 && range.upper == 1 << 20)
  }

  @Test func aRestThatEndsAsSoonAsHelpComesIsLeftAlone() {
    var layout = SegmentLayout(total: 1000, present: [], smallestSplit: 10)
    let only = layout.begin(.hole(ByteRange(0, 1000)))
    layout.advance(only, to: 900, bytesPerSecond: 1000)
    #expect(layout.nextAssignment(expectedSpeed: 1000, startup: 0.05) == nil)
    #expect(layout.nextAssignment(expectedSpeed: 1000, startup: 0.04) == .split(of: only, ByteRange(950, 1000)))
  }

  @Test func firstConnectionSharesOutALongWayInOrder() {
    var layout = SegmentLayout(total: 1600, present: [], smallestSplit: 10)
    let first = layout.begin(.hole(ByteRange(0, 1600)))
    layout.advance(first, to: 0, bytesPerSecond: 100)
    #expect(layout.share(first, among: 7, expectedSpeed: 100, startup: 0) == 130)
    var pieces: [ByteRange] = []
    for free in stride(from: 7, to: 0, by: -1) {
      guard case .hole(let piece)? = layout.nextAssignment(expectedSpeed: 100, free: free) else {
        break
      }
      _ = layout.begin(.hole(piece))
      pieces.append(piece)
    }
    #expect(pieces.count == 7 && pieces.first?.lower == 130)
    #expect(
      zip(pieces, pieces.dropFirst()).allSatisfy { $0.upper == $1.lower && $0.length >= $1.length })
    #expect(layout.openHoles == [ByteRange(pieces.last!.upper, 1600)])
  }

  @Test func piecesAreWorthTheirRequest() {
    var layout = SegmentLayout(total: 1600, present: [], smallestSplit: 10)
    let first = layout.begin(.hole(ByteRange(0, 1600)))
    layout.advance(first, to: 0, bytesPerSecond: 100)
    // The first byte of a request takes half a second, in which 50 bytes could come: every share is the even one.
    #expect(layout.share(first, among: 3, expectedSpeed: 100, startup: 0.5) == 400)
    for free in [3, 2, 1] {
      guard
        case .hole(let piece)? = layout.nextAssignment(expectedSpeed: 100, startup: 0.5, free: free)
      else {
        Issue.record("nothing is left for \(free)")
        return
      }
      #expect(piece.length == 400)
      _ = layout.begin(.hole(piece))
    }
    #expect(layout.openHoles.isEmpty)
  }

  @Test func connectionThatWouldOutlastAllOthersIsRelievedFirst() {
    var layout = SegmentLayout(total: 8 << 20, present: [], smallestSplit: 1 << 20)
    let slow = layout.begin(.hole(ByteRange(0, 2 << 20)))
    let quick = layout.begin(.hole(ByteRange(2 << 20, 4 << 20)))
    layout.advance(quick, to: 3 << 20, bytesPerSecond: 1_000_000)
    layout.advance(slow, to: 1 << 20, bytesPerSecond: 900_000)
    #expect(layout.nextAssignment(expectedSpeed: 1_000_000) == .hole(ByteRange(4 << 20, 5 << 20)))
    layout.advance(slow, to: 50_000, bytesPerSecond: 50_000)
    guard case .split(slow, let range) = layout.nextAssignment(expectedSpeed: 1_000_000) else {
      Issue.record("the slow connection holds up what lies behind it")
      return
    }
    #expect(range.lower < 300_000 && range.upper == 2 << 20)
  }

  @Test(arguments: [1, 2, 3] as [Int64]) func noPieceIsEmpty(length: Int64) {
    let end: Int64 = 3 << 20
    for free in [1, 2, 8] {
      var layout = SegmentLayout(
        total: end + length, present: [ByteRange(0, end)], smallestSplit: 64 << 10)
      while case .hole(let piece)? = layout.nextAssignment(expectedSpeed: 0, free: free) {
        #expect(!piece.isEmpty)
        guard !piece.isEmpty else { return }
        layout.finish(layout.begin(.hole(piece)), at: piece.upper)
      }
      #expect(layout.isComplete)
    }
  }

  @Test func shortWayTakesOnePieceEach() {
    var layout = SegmentLayout(total: 8 << 20, present: [], smallestSplit: 1 << 20)
    let first = layout.begin(.hole(ByteRange(0, 8 << 20)))
    layout.advance(first, to: 0, bytesPerSecond: 10_000_000)
    #expect(layout.share(first, among: 7, expectedSpeed: 10_000_000, startup: 0.001) == 1 << 20)
    for free in stride(from: 7, to: 0, by: -1) {
      guard case .hole(let piece)? = layout.nextAssignment(expectedSpeed: 10_000_000, startup: 0.001, free: free)
      else {
        Issue.record("nothing is left for \(free)")
        return
      }
      #expect(piece.length == 1 << 20)
      _ = layout.begin(.hole(piece))
    }
    #expect(layout.openHoles.isEmpty)
  }

  @Test func lastPiecesEndWithAStepOfTheServer() {
    for (speed, step) in [(10_000_000.0, 65536), (1_000_000, 4096)] as [(Double, Int64)] {
      // Two thirds of a second are missing.
      let frontier: Int64 = 8 << 20
      let total = frontier + Int64(speed / 3) * 2
      var layout = SegmentLayout(total: total, present: [ByteRange(0, frontier)], smallestSplit: 1 << 20)
      var lengths: [Int64] = []
      while case .hole(let piece)? = layout.nextAssignment(expectedSpeed: speed, startup: 0.0001, free: 2) {
        if piece.upper < total { lengths.append(piece.length) }
        layout.finish(layout.begin(.hole(piece)), at: piece.upper)
      }
      #expect(lengths.count > 1 && lengths.allSatisfy { $0 % step == 0 }, "\(speed): \(lengths)")
    }
  }

  @Test func shortWayLeavesNothingForAnotherRequest() {
    // A request takes as long as 500 kB: the odd rest of the shares is not worth one.
    let total: Int64 = 8 << 20 | 54321
    var layout = SegmentLayout(total: total, present: [], smallestSplit: 1 << 20)
    let first = layout.begin(.hole(ByteRange(0, total)))
    layout.advance(first, to: 0, bytesPerSecond: 10_000_000)
    #expect(layout.share(first, among: 7, expectedSpeed: 10_000_000, startup: 0.05) != nil)
    for free in stride(from: 7, to: 0, by: -1) {
      guard case .hole(let piece)? = layout.nextAssignment(expectedSpeed: 10_000_000, startup: 0.05, free: free)
      else { break }
      _ = layout.begin(.hole(piece))
    }
    #expect(layout.openHoles.isEmpty)
  }

  @Test func shortWayIsNotShared() {
    var layout = SegmentLayout(total: 19, present: [], smallestSplit: 10)
    let first = layout.begin(.hole(ByteRange(0, 19)))
    #expect(layout.share(first, among: 7, expectedSpeed: 1, startup: 0) == nil)
  }

  @Test(arguments: 0..<40)
  func everyByteIsFetchedExactlyOnce(seed: UInt64) {
    var random = seed &* 7919 &+ 13
    func roll(_ bound: Int64) -> Int64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(random >> 33) % bound
    }
    let total = 200 + roll(2000)
    var count = [Int](repeating: 0, count: Int(total))
    let present = ByteRange(roll(50), 60 + roll(50))
    for offset in present.lower..<present.upper { count[Int(offset)] += 1 }
    var layout = SegmentLayout(total: total, present: [present], smallestSplit: 1 + roll(40))
    var positions: [SegmentLayout.SegmentID: Int64] = [:]
    var steps = 0
    while !layout.isComplete || !positions.isEmpty {
      steps += 1
      if steps > 100_000 {
        Issue.record("no end; seed \(seed)")
        return
      }
      if positions.count == 1, let id = positions.keys.first, roll(3) == 0 {
        _ = layout.share(id, among: 3, expectedSpeed: Double(roll(100)), startup: 0)
      }
      if positions.count < 4,
        let assignment = layout.nextAssignment(
          expectedSpeed: Double(roll(100)), free: 4 - positions.count)
      {
        let id = layout.begin(assignment)
        switch assignment {
        case .hole(let range), .split(_, let range): positions[id] = range.lower
        }
        continue
      }
      let ids = positions.keys.sorted()
      guard !ids.isEmpty else { continue }
      let id = ids[Int(roll(Int64(ids.count)))]
      let end = layout.end(of: id)!
      let next = min(end, positions[id]! + 1 + roll(60))
      if next > positions[id]! { for offset in positions[id]!..<next { count[Int(offset)] += 1 } }
      positions[id] = max(next, positions[id]!)
      layout.advance(id, to: positions[id]!, bytesPerSecond: Double(roll(100)))
      if positions[id]! >= end || roll(12) == 0 {
        layout.finish(id, at: positions[id]!)
        positions[id] = nil
      }
    }
    #expect(count.allSatisfy { $0 == 1 }, "seed \(seed)")
  }
}
