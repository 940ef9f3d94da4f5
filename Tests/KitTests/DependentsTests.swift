import DLSyncModel
import Testing

@testable import DLSyncKit

@Suite("Files that wait for another file's bytes")
struct DependentsTests {
  @Test func areFoundByEitherOfTheTwo() {
    var dependents = Dependents()
    for file in [7, 3, 5] { dependents.add(file, on: 1) }
    dependents.add(4, on: 2)
    #expect(dependents.holds(5) && !dependents.holds(1))
    #expect(dependents.isAwaited(1) && dependents.isAwaited(2) && !dependents.isAwaited(5))
    #expect(dependents.release(1) == [3, 5, 7], "in the plan's order")
    #expect(!dependents.holds(5) && !dependents.isAwaited(1))
    #expect(dependents.release(1) == [], "once")
    #expect(!dependents.isEmpty)
  }

  @Test func areForgotten() {
    var dependents = Dependents()
    dependents.add(3, on: 1)
    dependents.add(4, on: 1)
    dependents.remove(3)
    dependents.remove(9)
    #expect(dependents.release(1) == [4])
    #expect(dependents.isEmpty)
    dependents.add(3, on: 1)
    dependents.add(3, on: 2)
    #expect(!dependents.isAwaited(1), "a file waits for one other")
    dependents.remove(3)
    #expect(dependents.isEmpty && !dependents.isAwaited(2))
  }

  @Test func copyFromTheFileThatCame() {
    var dependents = Dependents()
    dependents.add(3, on: 1)
    let came = FileIdentity(device: 1, inode: 2, size: 3, modified: 4, changed: 5, mode: 0o644)
    dependents.arrived(1, came)
    dependents.arrived(2, came)
    #expect(dependents.identity(of: 1) == came)
    #expect(dependents.identity(of: 2) == nil, "nobody waits for it")
    dependents.removeAll()
    #expect(dependents.isEmpty && dependents.identity(of: 1) == came, "a copy that has begun goes on")
  }
}
