import DLSyncModel
import Glibc
import Testing

@testable import DLSyncStore

/// Reading makes and changes no file, whatever lies there.
@Suite struct QuietReadingTests {
  let folder = StateFolder()
  let plan = Sample.plan((0..<20).map { Sample.download(Sample.entry("f\($0)")) })

  /// `isShared`: a writer of this process has the log's index open, and the reader's locks are noted in it.
  private func expectQuietReading(_ count: Int, isShared: Bool = false) async throws {
    let before = folder.files
    let store = try await folder.open(.read)
    #expect(try await store.state(of: Sample.scope).tasks.count == count)
    #expect(try await store.taskSnapshots(of: nil).count == count)
    #expect(try await store.queueSnapshots(of: nil).count == 1)
    await store.close()
    #expect(folder.changes(since: before).filter { !isShared || $0 != "state.db-shm" } == [])
  }

  @Test func afterACleanEnd() async throws {
    let store = try await folder.open()
    try await store.record(plan, now: Sample.now)
    await store.close()
    #expect(folder.files["state.db-wal"]?.bytes.count == 0)
    try await expectQuietReading(20)
  }

  @Test func afterAnotherProgramRemovedTheLog() async throws {
    try await folder.open().record(plan, now: Sample.now)
    try folder.dropLog()
    #expect(StateFolder.names(in: folder.path) == ["state.db"])
    try await expectQuietReading(20)
  }

  @Test func whileSomebodyWrites() async throws {
    let store = try await folder.open()
    try await store.record(plan, now: Sample.now)
    try await expectQuietReading(20, isShared: true)
    let holder = try Connection(folder.database, .readWrite, patience: .zero)
    try holder.execute("BEGIN EXCLUSIVE; DELETE FROM task")
    try await expectQuietReading(20, isShared: true)
    try holder.execute("COMMIT")
    try await expectQuietReading(0, isShared: true)
  }

  @Test func afterAKillThatLeftALog() async throws {
    let store = try await folder.open()
    try await store.record(plan, now: Sample.now)
    let killed = folder.files
    await store.close()
    for (name, file) in killed { StateFolder.write(file.bytes, folder.path + "/" + name) }
    #expect(killed["state.db-wal"].map { $0.bytes.count > 4096 } == true)
    try await expectQuietReading(20)
    // The next writer takes it up.
    let next = try await folder.open()
    try await next.remove([plan.files[0].entry.id], now: Sample.now)
    #expect(try await next.state(of: Sample.scope).tasks.count == 19)
  }

  @Test(arguments: [1, 31, 32]) func afterAKillThatLeftTheBeginningOfALog(length: Int) async throws {
    let store = try await folder.open()
    try await store.record(plan, now: Sample.now)
    let killed = folder.files
    await store.close()
    // The next run died when its log had no frame yet: the header's salts are not those of the index.
    StateFolder.write(Array(killed["state.db-wal"]!.bytes.prefix(length)), folder.database + "-wal")
    let reader = try await folder.open(.read, patience: .zero)
    #expect(try await reader.state(of: Sample.scope).tasks.count == 20)
    await reader.close()
    try await expectQuietReading(20)
  }

  @Test func aRunThatFindsEverythingDoneWritesNothing() async throws {
    let store = try await folder.open()
    let entries = (0..<20).map { Sample.entry("f\($0)") }
    try await store.record(Sample.plan(entries.map { Sample.download($0) }), now: Sample.now)
    try await store.update(entries.map { .published($0.id, Sample.published(1), bytes: 5) }, now: Sample.now)
    await store.close()
    let before = folder.files
    let again = try await folder.open()
    #expect(try await again.state(of: Sample.scope).tasks.count == 20)
    try await again.record(Sample.plan(entries.map { Sample.reuse($0) }), now: Sample.now)
    await again.close()
    #expect(folder.changes(since: before) == [])
  }

  @Test func anUnfinishedRunThatIsPlannedAgainWritesNothing() async throws {
    let store = try await folder.open()
    try await store.record(plan, now: Sample.now)
    await store.close()
    let before = folder.files
    let again = try await folder.open()
    try await again.record(plan, now: Timestamp(seconds: 1_800_000_000))
    #expect(folder.changes(since: before) == [])
  }
}
