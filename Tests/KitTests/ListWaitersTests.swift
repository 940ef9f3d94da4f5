import DLSyncModel
import Testing

@testable import DLSyncKit

@Suite struct ListWaitersTests {
  private func mark(_ path: String) throws -> ListShelf.Mark {
    ListShelf.Mark(place: .url(try SourceURL("http://h/" + path)), identity: nil)
  }

  @Test func aFileWaitsForAllOfItsLists() throws {
    let (a, b) = (try mark("a"), try mark("b"))
    var waiters = ListWaiters()
    waiters.add(1, [a, b, a])
    waiters.add(2, [a])
    #expect(waiters.arrived(a) == [2] && waiters.holds(1) && !waiters.holds(2))
    #expect(waiters.arrived(b) == [1] && !waiters.holds(1))
    #expect(waiters.arrived(b) == [])
  }

  @Test func whatWasTakenOutIsNotTold() throws {
    let a = try mark("a")
    var waiters = ListWaiters()
    waiters.add(1, [a])
    waiters.add(2, [a])
    waiters.remove(1)
    #expect(waiters.arrived(a) == [2])
  }
}
