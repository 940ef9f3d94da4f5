import DLSyncModel
import Testing

@testable import DLSyncKit
@testable import DLSyncStore

@Suite struct JournalTests {
  /// The publisher takes what is pending of a file; when it fails there the file comes back.
  @Test func whatWasTakenAndCameBackIsWrittenOnce() {
    var journal = Journal()
    let (first, second) = (TaskID(value: 1), TaskID(value: 2))
    journal.add(.began(first, attempt: 1), for: first)
    journal.add(.began(second, attempt: 1), for: second)
    #expect(journal.take(first).count == 1)
    journal.add(.state(first, .failed, error: nil), for: first)
    #expect(journal.takeAll().map(\.id) == [first, second])
    #expect(journal.isEmpty && journal.takeAll().isEmpty)
  }
}
