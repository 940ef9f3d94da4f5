import DLSyncTestSupport
import DLSyncThreading
import Testing

@testable import DLSyncKit

@Suite("Waiting for others' work") struct RecordWatchTests {
  private let folder: TemporaryFolder
  private let begin = MonotonicInstant(nanoseconds: 1_000_000_000_000)

  init() throws {
    folder = try TemporaryFolder("watch")
    _ = try folder.write("database", to: "state.db")
  }

  private func after(_ milliseconds: Int64) -> MonotonicInstant { begin.advanced(by: milliseconds * 1_000_000) }

  @Test func looksWhenSomebodyWrote() throws {
    var watch = RecordWatch(stateFolder: folder.path)
    let first = watch.isDue(begin)
    watch.hasLooked(since: begin, after(1))
    let quiet = watch.isDue(after(500))
    _ = try folder.write("log", to: "state.db-wal")
    let written = watch.isDue(after(600))
    watch.hasLooked(since: after(600), after(601))
    let again = watch.isDue(after(1000))
    let late = watch.isDue(after(2600))
    #expect(first && !quiet && written && !again && late)
  }

  @Test func looksSeldomWhereThatTakesLong() throws {
    var watch = RecordWatch(stateFolder: folder.path)
    _ = watch.isDue(begin)
    watch.hasLooked(since: begin, after(50))
    _ = try folder.write("log", to: "state.db-wal")
    let soon = watch.isDue(after(1000))
    let later = watch.isDue(after(1050))
    #expect(!soon && later)
    watch.hasLooked(since: after(1050), after(9000))
    _ = try folder.write("longer log", to: "state.db-wal")
    let early = watch.isDue(after(10_900))
    let bounded = watch.isDue(after(11_000))
    #expect(!early && bounded)
  }
}
