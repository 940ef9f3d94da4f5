import DLSyncModel
import Testing

@testable import DLSyncTransfer

/// How soon all bytes are there that several connections share, in a world where nothing else takes time.
@Suite struct SegmentRaceTests {
  /// Connections at these paces (bytes a second), each request of which costs `startup` seconds: when all bytes are there,
  /// and how many requests that took. So many bytes of each
  /// have come and were not looked at yet.
  private func race(
    total: Int64, paces: [Double], startup: Double, unseen: Int64
  ) -> (seconds: Double, requests: Int) {
    struct Runner {
      let pace: Double
      let lower: Int64
      let since: Double
    }
    var layout = SegmentLayout(total: total, present: [], smallestSplit: 1 << 20)
    var running: [SegmentLayout.SegmentID: Runner] = [:]
    var free = paces
    var (now, requests) = (0.0, 0)
    func position(_ runner: Runner, at now: Double) -> Int64 {
      runner.lower + Int64(max(0, now - runner.since) * runner.pace)
    }
    while !layout.isComplete {
      for (id, runner) in running where now > runner.since {
        let seen = max(runner.lower, position(runner, at: now) - unseen)
        layout.advance(id, to: min(seen, layout.end(of: id)!), bytesPerSecond: runner.pace)
      }
      let expected = paces.sorted()[paces.count / 2]
      if requests == 1, let only = running.keys.first {
        _ = layout.share(only, among: free.count, expectedSpeed: expected, startup: startup)
      }
      while let pace = free.last,
        let work = layout.nextAssignment(
          expectedSpeed: requests == 0 ? 0 : expected, startup: startup, free: free.count)
      {
        free.removeLast()
        requests += 1
        let range =
          switch work {
          case .hole(let range), .split(_, let range): range
          }
        running[layout.begin(work)] = Runner(pace: pace, lower: range.lower, since: now + startup)
        if requests == 1 { break }
      }
      let ends = running.map { id, runner in
        (id, runner.since + Double(layout.end(of: id)! - runner.lower) / runner.pace)
      }
      guard let next = ends.min(by: { $0.1 < $1.1 }) else { break }
      if requests == 1, paces.count > 1 {
        now = max(now, startup) + 0.001
        continue
      }
      now = max(now, next.1)
      layout.finish(next.0, at: layout.end(of: next.0)!)
      free.append(running.removeValue(forKey: next.0)!.pace)
    }
    return (now, requests)
  }

  @Test(arguments: [
    (64, Array(repeating: 10e6, count: 8), 0.002, 0), (64, Array(repeating: 10e6, count: 8), 0.001, 32_768),
    (64, Array(repeating: 10e6, count: 8), 0.05, 0), (1024, Array(repeating: 10e6, count: 8), 0.01, 0),
    (64, [10e6, 9e6, 11e6, 8e6, 12e6, 10e6, 10e6, 7e6], 0.002, 0), (200, [5e6, 20e6, 20e6, 20e6], 0.03, 0),
    (16, [1e6, 1e6], 0.1, 0),
  ])
  func connectionsComeToTheEndTogether(megabytes: Int64, paces: [Double], startup: Double, unseen: Int64) {
    let total = megabytes << 20
    let ideal = Double(total) / paces.reduce(0, +)
    let (seconds, requests) = race(total: total, paces: paces, startup: startup, unseen: unseen)
    // The first request is alone until it is answered, each connection loses a start for each of its requests, and what a
    // free connection will bring is not known: the usual pace counts.
    #expect(
      seconds < ideal * (Set(paces).count > 1 ? 1.05 : 1.03) + 3 * startup,
      "\(seconds) s for \(ideal) s, \(requests) requests")
    #expect(requests < 12 * paces.count, "\(requests) requests")
  }
}
