import Testing

@testable import DLSyncKit

@Suite struct OpenFileBudgetTests {
  @Test(arguments: [16, 48, 100, 256, 1024, 65536], [1, 4, 16]) func noMoreIsInHandThanMayBeOpen(
    limit: Int, connections: Int
  ) {
    let budget = OpenFileBudget(limit: limit, connectionsPerFile: connections)
    #expect(budget.running >= 1 && budget.group >= 1 && budget.group <= 256)
    let open = budget.running * (1 + connections) + 2 * budget.group
    // Whatever the limit is, one file goes through after another.
    #expect(open <= max(limit - 64, 3 + connections), "\(budget)")
  }

  @Test func aUsualLimitHoldsNothingBack() {
    let budget = OpenFileBudget(limit: 65536, connectionsPerFile: 16)
    #expect(budget.group == 256 && budget.running > 3000)
  }
}
