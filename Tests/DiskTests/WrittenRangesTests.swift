import DLSyncModel
import DLSyncTestSupport
import Testing

@testable import DLSyncDisk

@Suite struct WrittenRangesTests {
  @Test(arguments: 1...200 as ClosedRange<UInt64>) func agreesWithAListOfBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ranges = WrittenRanges()
    var bytes = [Bool](repeating: false, count: 120)
    for _ in 0..<30 {
      let lower = Int.random(in: 0..<120, using: &random)
      let upper = Int.random(in: lower...min(120, lower + 25), using: &random)
      ranges.insert(ByteRange(Int64(lower), Int64(upper)))
      for index in lower..<upper { bytes[index] = true }
      check(ranges, bytes, seed)
    }
    let cut = Int.random(in: 0...120, using: &random)
    ranges.cut(to: Int64(cut))
    for index in cut..<120 { bytes[index] = false }
    check(ranges, bytes, seed)
  }

  private func check(_ ranges: WrittenRanges, _ bytes: [Bool], _ seed: UInt64) {
    let frontier = bytes.firstIndex(of: false) ?? bytes.count
    #expect(ranges.frontier == Int64(frontier), "seed \(seed)")
    var shown = [Bool](repeating: false, count: bytes.count)
    for index in 0..<Int(ranges.frontier) { shown[index] = true }
    for island in ranges.islands { for index in island.lower..<island.upper { shown[Int(index)] = true } }
    #expect(shown == bytes, "seed \(seed)")
    let ends = [ranges.frontier] + ranges.islands.flatMap { [$0.lower, $0.upper] }
    #expect(zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 }, "touching or unordered, seed \(seed): \(ends)")
  }
}
