import DLSyncTestSupport
import Testing

@testable import DLSyncPlanner

@Suite struct NumberMapTests {
  @Test(arguments: 0..<40 as Range<UInt64>) func itKeepsWhatATableWouldKeep(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...12, using: &random)
    var map = NumberMap(count: count)
    var table = [Int?](repeating: nil, count: count)
    for step in 0..<3 * count {
      let key = seed.isMultiple(of: 2) && step < count ? step : Int.random(in: 0..<count, using: &random)
      let isOther = Int.random(in: 0...9, using: &random) == 0
      let value = isOther ? [nil, 0, 5].randomElement(using: &random)! : key
      map[key] = value
      table[key] = value
      #expect((0..<count).map { map[$0] } == table, "seed \(seed)")
    }
  }
}
