import DLSyncModel
import Testing

@testable import DLSyncStore

@Suite struct SchemaTests {
  let folder = StateFolder()
  let next = Schema(
    steps: Schema.current.steps + ["CREATE TABLE later (x INTEGER) STRICT"],
    tables: Schema.current.tables.union(["later"]))

  private func recordOne() async throws {
    let store = try await folder.open()
    try await store.record(Sample.plan([Sample.download(Sample.entry("a"))]), now: Sample.now)
    await store.close()
  }

  @Test func aNewDatabaseIsSoundAndOfTheLastVersion() throws {
    let connection = try Connection.inMemory()
    try connection.transaction(.write) { () throws(StoreFailure) in try Schema.current.migrate(connection, from: 0) }
    #expect(try Schema.current.verify(connection) == Schema.current.version)
    let check = try connection.statement("PRAGMA integrity_check")
    #expect(try check.step())
    #expect(check.text(0) == "ok")
    check.reset()
    let keys = try connection.statement("PRAGMA foreign_key_check")
    #expect(try !keys.step())
  }

  @Test func anOlderStateIsBroughtUpWithItsRecords() async throws {
    try await recordOne()
    let store = try #require(try await Store.open(folder: folder.path, access: .write, schema: next))
    #expect(try await store.state(of: Sample.scope).tasks.count == 1)
    await store.close()
    let connection = try Connection(folder.database, .readOnly, patience: .zero)
    #expect(try next.verify(connection) == Schema.current.version + 1)
  }

  @Test func anOlderStateCanBeReadAndStaysOld() async throws {
    try await recordOne()
    let before = folder.files
    let store = try #require(try await Store.open(folder: folder.path, access: .read, schema: next))
    #expect(try await store.state(of: Sample.scope).tasks.count == 1)
    #expect(folder.changes(since: before) == [])
  }

  @Test func aMigrationThatFailsChangesNothing() async throws {
    try await recordOne()
    let broken = Schema(
      steps: Schema.current.steps + ["CREATE TABLE later (x INTEGER) STRICT; DELETE FROM task; nonsense"],
      tables: Schema.current.tables)
    await #expect(throws: DLSyncError.self) {
      _ = try await Store.open(folder: folder.path, access: .write, schema: broken)
    }
    #expect(try await folder.open(.read).state(of: Sample.scope).tasks.count == 1)
  }

  @Test func everyValueKeepsItsNumber() {
    #expect(TaskState.allCases.map(\.stored) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    for state in TaskState.allCases { #expect(TaskState(stored: state.stored) == state) }
    #expect(DigestAlgorithm.allCases.map(\.number) == [1, 2, 3, 4, 5, 6, 7])
    for algorithm in DigestAlgorithm.allCases { #expect(DigestAlgorithm(number: algorithm.number) == algorithm) }
    #expect(TaskState(stored: 99) == .waiting)
    #expect(TaskState(stored: -1) == .waiting)
  }

  @Test func pairsSurviveTheirText() {
    let pairs = [("a", "plain"), ("b", ""), ("c", "two\nlines\\n and \\ more\r\n"), ("d", "x=y: z")]
    let text = LineCoding.encode(pairs.map { (key: $0.0, value: $0.1) })
    let back = LineCoding.decode(text)
    #expect(back.map(\.key) == pairs.map(\.0))
    #expect(back.map(\.value) == pairs.map(\.1))
  }
}
