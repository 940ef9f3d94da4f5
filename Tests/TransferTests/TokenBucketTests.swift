import DLSyncThreading
import Testing

@testable import DLSyncTransfer

/// Takes pieces from a bucket on a clock that jumps from one opening to the next.
private struct Simulation {
  var now = MonotonicInstant(nanoseconds: 0)
  var bucket: TokenBucket

  init(rate: Double) { bucket = TokenBucket(bytesPerSecond: rate, now: MonotonicInstant(nanoseconds: 0)) }

  /// Bytes that pass until the clock shows `end` seconds.
  mutating func run(until end: Double, piece: Int) -> Int {
    var passed = 0
    while Double(now.nanoseconds) / 1e9 < end {
      if bucket.isOpen(now) {
        bucket.take(piece, now)
        passed += piece
      } else {
        now = max(bucket.opening(now), now.advanced(by: 1))
      }
    }
    return passed
  }
}

@Suite struct TokenBucketTests {
  @Test(arguments: [64_000.0, 1_000_000, 50_000_000, 200_000_000], [1024, 16 * 1024])
  func averageOverTenSecondsIsTheRate(_ rate: Double, _ piece: Int) {
    var simulation = Simulation(rate: rate)
    let passed = simulation.run(until: 10, piece: piece)
    #expect(abs(Double(passed) - rate * 10) <= max(rate * 0.001, Double(piece)), "\(passed) bytes")
  }

  @Test func idleTimeGivesNoMoreThanABurst() {
    var simulation = Simulation(rate: 1_000_000)
    simulation.now = MonotonicInstant(nanoseconds: 3_600_000_000_000)
    let passed = simulation.run(until: 3600.000001, piece: 1000)
    #expect(passed <= 76_000)
  }

  @Test func bucketStartsEmpty() {
    var simulation = Simulation(rate: 1_000_000)
    let passed = simulation.run(until: 0.01, piece: 1000)
    #expect(passed <= 11_000)
  }

  @Test func loweredRateDoesNotStallForWhatPassedBefore() {
    let start = MonotonicInstant(nanoseconds: 0)
    var bucket = TokenBucket(bytesPerSecond: 100_000_000, now: start)
    bucket.take(1_000_000, start)
    bucket.setRate(1000, now: start)
    let opening = bucket.opening(start)
    #expect(opening.nanoseconds <= 11_000_000)
  }

  @Test func newRateCountsAtOnce() {
    var simulation = Simulation(rate: 1000)
    _ = simulation.run(until: 1, piece: 100)
    simulation.bucket.setRate(1_000_000, now: simulation.now)
    let passed = simulation.run(until: 2, piece: 1000)
    #expect(abs(Double(passed) - 1_000_000) < 20_000, "\(passed) bytes")
    simulation.bucket.setRate(nil, now: simulation.now)
    let isOpen = simulation.bucket.isOpen(simulation.now)
    #expect(isOpen)
  }

  @Test func withoutARateEverythingPasses() {
    let start = MonotonicInstant(nanoseconds: 0)
    var bucket = TokenBucket(bytesPerSecond: nil, now: start)
    bucket.take(.max, start)
    let isOpen = bucket.isOpen(start)
    let opening = bucket.opening(start)
    #expect(isOpen)
    #expect(opening == start)
  }
}
