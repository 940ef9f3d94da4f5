import DLSyncModel
import Testing

@testable import DLSyncStore

/// What the record says of an unchanged file is known when the plan is made, and is not read once more.
@Suite struct UnchangedTests {
  let folder = StateFolder()

  private func finish(_ entries: [FileEntry], _ store: Store) async throws {
    try await store.record(Sample.plan(entries.map { Sample.download($0) }), now: Sample.now)
    try await store.update(
      entries.map { .published($0.id, Sample.published(1), bytes: 5) }, now: Sample.now)
  }

  private func plan(_ entries: [FileEntry], _ store: Store) async throws -> Plan {
    let tasks = try await store.state(of: Sample.scope, files: entries).tasks
    return Sample.plan(zip(entries, tasks).map { FilePlan(entry: $0, unchanged: $1) })
  }

  @Test func aFileThatIsWantedAsItIsRecordedIsKnownToBe() async throws {
    let store = try await folder.open()
    let entries = ["a", "b"].map { Sample.entry($0, "https://h.example/\($0)") }
    try await finish(entries, store)
    let plan = try await plan(entries, store)
    #expect(plan.files.allSatisfy { $0.isRecorded })
    #expect(plan.files.map(\.basis) == [.file(Sample.published(1).identity), .file(Sample.published(1).identity)])
    let refused = try await store.record(plan, now: Sample.now)
    #expect(refused.isEmpty)
  }

  @Test func aFileThatIsWantedOtherwiseIsRecordedSo() async throws {
    let store = try await folder.open()
    let names = ["a", "b", "c"]
    try await finish(names.map { Sample.entry($0, "https://h.example/\($0)") }, store)
    let entries = names.map { Sample.entry($0, "https://h.example/\($0)", priority: $0 == "b" ? 0.75 : 0.5) }
    let plan = try await plan(entries, store)
    #expect(plan.files.map(\.isRecorded) == [true, false, true])
    #expect(!plan.files[0].withEntry(entries[0]).isRecorded)
    try await store.record(plan, now: Sample.now)
    let tasks = try await store.state(of: Sample.scope, files: entries).tasks
    #expect(tasks.map(\.priority) == [0.5, 0.75, 0.5] && tasks.allSatisfy { $0.state == .completed })
    let next = try await self.plan(entries, store)
    #expect(next.files.allSatisfy { $0.isRecorded })
  }

  @Test func aFileOfAnotherQueueIsRecordedSo() async throws {
    let store = try await folder.open()
    let entry = Sample.entry("a", "https://h.example/a")
    try await finish([entry], store)
    let moved = Sample.entry("a", "https://h.example/a", queue: "other")
    let tasks = try await store.state(of: Sample.scope, files: [moved]).tasks
    #expect(!FilePlan(entry: moved, unchanged: tasks[0]).isRecorded)
  }
}
