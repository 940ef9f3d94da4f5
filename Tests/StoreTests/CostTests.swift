import CSQLite
import DLSyncModel
import DLSyncThreading
import Testing

@testable import DLSyncStore

/// What programs do with one file at a time must not cost more the more files are recorded.
@Suite struct CostTests {
  @Test func oneFileCostsTheSameHoweverManyAreRecorded() async throws {
    let few = try await costs(among: 200)
    let many = try await costs(among: 4000)
    for (one, other) in zip(few, many) {
      #expect(one.steps > 0, "\(one.name)")
      #expect(other.steps < one.steps + one.steps / 2 + 20, "\(one.name): \(one.steps), then \(other.steps)")
    }
  }

  /// The steps that SQLite takes for each call, in a record of so many finished files.
  private func costs(among count: Int) async throws -> [(name: String, steps: Int64)] {
    let folder = StateFolder()
    let store = try await folder.open()
    let files = (0..<count).map { Sample.download(Sample.entry("old/\($0)", "https://h.example/old/\($0)")) }
    let plan = Sample.plan(files)
    try await store.record(plan, now: Sample.now)
    try await store.update(
      files.enumerated().map { .published($1.entry.id, published($0), bytes: 5) }, now: Sample.now)

    let steps = Counter()
    try await store.count(steps)
    var costs: [(name: String, steps: Int64)] = []
    func note(_ name: String) {
      costs.append((name, steps.value))
      steps.set(0)
    }
    let queue = plan.queues[0].declaration
    let entry = Sample.entry("new", "https://h.example/new", checksums: [published(7).fingerprint])
    _ = try await store.enrol([entry], in: queue, of: Sample.scope, now: Sample.now)
    note("enrol")
    _ = try await store.requestedTask(entry.id, of: Sample.scope, queue.name)
    note("requestedTask")
    let state = try await store.state(of: Sample.scope, concerning: [entry])
    #expect(Set(state.tasks.map(\.destination)) == ["/out/new", "/out/old/7"])
    note("state")
    let elsewhere = try await store.files(besides: Scope("another"), having: Set(entry.checksums))
    #expect(elsewhere[published(7).fingerprint]?.map(\.path) == ["/out/old/7"])
    note("files")
    try await store.record(Sample.plan([Sample.download(entry)]), now: Sample.now)
    note("record, as it is")
    let other = Sample.entry("other", "https://h.example/other")
    try await store.record(Sample.plan([Sample.download(other)]), now: Sample.now)
    note("record")
    _ = try await store.standings(of: Sample.scope)
    try await store.logBeginning(of: Sample.scope, now: Sample.now)
    note("the beginning of a run")
    _ = try await store.carryOut([(.pause, entry.id), (.resume, entry.id)], now: Sample.now)
    note("carryOut")
    try await store.update([.began(entry.id, attempt: 1)], now: Sample.now)
    try await store.update([.published(entry.id, published(7), bytes: 5)], now: Sample.now)
    note("update")
    _ = try await store.taskSnapshot(entry.id)
    note("taskSnapshot")
    return costs
  }

  private func published(_ number: Int) -> PublishedFile {
    let fingerprint = Digest(.sha256, bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8) + $0) })!
    return PublishedFile(
      fingerprint: fingerprint, identity: Sample.published(1).identity,
      recordedAt: Sample.now)
  }
}

extension Store {
  /// Adds every step of the virtual machine to the counter, for as long as the store is open.
  fileprivate func count(_ steps: Counter) throws {
    try writing { (connection) throws(StoreFailure) in
      sqlite3_progress_handler(
        connection.handle, 1,
        { counter in
          Unmanaged<Counter>.fromOpaque(counter!).takeUnretainedValue().add(1)
          return 0
        }, Unmanaged.passRetained(steps).toOpaque())
    }
  }
}
