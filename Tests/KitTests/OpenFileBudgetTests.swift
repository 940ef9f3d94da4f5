import DLSyncThreading
import DLSyncTransfer
import Testing

@testable import DLSyncKit

@Suite struct OpenFileBudgetTests {
  private final class Run {}

  /// Whoever takes files, of whatever run, does so as long as there is room.
  @Test(arguments: [16, 48, 100, 256, 1024, 65536], [1, 4, 16]) func allRunsTogetherOpenNoMoreThanTheyMay(
    limit: Int, connections: Int
  ) {
    let budget = OpenFileBudget { limit }
    #expect(budget.group >= 1 && budget.group <= 256)
    let each = OpenFileBudget.files(connections: connections)
    var shares: [OpenFileBudget.Share] = []
    while shares.count < 2000, budget.hasRoom(for: each) {
      shares.append(budget.take())
      shares.last?.set(each)
    }
    let idle = ConnectionCache.size(openFiles: limit)
    #expect(budget.used == shares.count * each && (budget.used == 0 || budget.used + idle + 64 <= limit))
    shares = []
    #expect(budget.used == 0)
  }

  @Test func aUsualLimitHoldsNothingBack() {
    let budget = OpenFileBudget { 65536 }
    #expect(budget.group == 256)
    #expect(budget.hasRoom(for: 3000 * OpenFileBudget.files(connections: 16)))
  }

  @Test func whoFoundNoRoomIsWokenOnceSomethingIsGivenBack() {
    let budget = OpenFileBudget { 100 }
    let woken = Counter()
    let (first, second) = (Run(), Run())
    let share = budget.take()
    share.set(1000)
    for run in [first, second, first] {
      let hasRoom = budget.hasRoom(for: 3, of: ObjectIdentifier(run)) { woken.add(1) }
      #expect(!hasRoom)
    }
    share.set(2000)
    #expect(woken.value == 0)
    share.set(2)
    #expect(woken.value == 2)
    share.set(0)
    #expect(woken.value == 2)
    #expect(budget.hasRoom(for: 3))
  }
}
