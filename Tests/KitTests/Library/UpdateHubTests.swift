import DLSyncModel
import Testing

@testable import DLSyncKit

@Suite struct UpdateHubTests {
  private let hub = UpdateHub()
  private let first = TaskID("000000000001")!
  private let second = TaskID("000000000002")!

  init() { hub.begin(with: [(id: first, state: .waiting), (id: second, state: .running)]) }

  @Test func whoWaitsForAllLearnsThatTheQueueCannotRun() async {
    let (one, all) = (hub.waiter(for: first), hub.waiter())
    hub.fail(DLSyncError(.stateUnavailable, "the disk is gone"))
    for waiter in [one, all] {
      guard case .failed(let error) = await waiter.next() else {
        Issue.record("not told")
        continue
      }
      #expect(error.code == .stateUnavailable)
    }
  }

  @Test func whoWaitsForAllIsWokenByTheLastOne() async {
    let all = hub.waiter()
    hub.tell(first, .completed)
    #expect(!hub.isFinished)
    hub.tell(second, .failed)
    guard case .ended = await all.next() else {
      Issue.record("not told")
      return
    }
    #expect(hub.isFinished)
  }
}
