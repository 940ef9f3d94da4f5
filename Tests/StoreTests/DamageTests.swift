import DLSyncModel
import Glibc
import Testing

@testable import DLSyncStore

/// A state that cannot be used stays byte for byte as it is, and the error says which file and what to do.
@Suite struct DamageTests {
  enum Damage: String, CaseIterable {
    case overwritten, empty, cut, zeroedPage, zeroedHeader, tableGone, columnGone, foreign, unversioned, folder

    func inflict(on folder: StateFolder) throws {
      let bytes = StateFolder.read(folder.database)
      switch self {
      case .overwritten: StateFolder.write(Array("not a database, sorry".utf8), folder.database)
      case .empty: StateFolder.write([], folder.database)
      case .cut: StateFolder.write(Array(bytes.prefix(bytes.count / 2)), folder.database)
      case .zeroedPage: StateFolder.write(zeroed(bytes, try taskRoot(folder)), folder.database)
      case .zeroedHeader: StateFolder.write(zeroed(bytes, 1), folder.database)
      case .tableGone: try folder.sql("DROP TABLE piece")
      case .columnGone: try folder.sql("ALTER TABLE task DROP COLUMN checksums")
      case .foreign:
        unlink(folder.database)
        StateFolder.write(try foreignImage(), folder.database)
      case .unversioned: try folder.sql("PRAGMA user_version = 0")
      case .folder:
        unlink(folder.database)
        mkdir(folder.database, 0o700)
      }
      if self != .folder { try? folder.dropLog() }
    }

    private func zeroed(_ bytes: [UInt8], _ page: Int) -> [UInt8] {
      var bytes = bytes
      for index in (page - 1) * 4096..<page * 4096 { bytes[index] = 0 }
      return bytes
    }

    private func taskRoot(_ folder: StateFolder) throws -> Int {
      let connection = try Connection(folder.database, .readImmutable, patience: .zero)
      return Int(try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'task'") ?? 0)
    }

    private func foreignImage() throws -> [UInt8] {
      let connection = try Connection.inMemory()
      try connection.execute("CREATE TABLE recipe (text); PRAGMA application_id = 77; PRAGMA user_version = 1")
      return try connection.image()
    }
  }

  let folder = StateFolder()

  private func finished() async throws {
    let store = try await folder.open()
    let files = (0..<50).map { Sample.download(Sample.entry("f\($0)")) }
    try await store.record(Sample.plan(files), now: Sample.now)
    await store.close()
    try folder.dropLog()
  }

  @Test(arguments: Damage.allCases, [Store.Access.read, .write])
  func aDamagedStateIsLeftAsItWas(damage: Damage, access: Store.Access) async throws {
    try await finished()
    try damage.inflict(on: folder)
    let before = folder.files
    let error = await #expect(throws: DLSyncError.self) {
      let store = try await folder.open(access)
      // A hole in the middle shows where it is read.
      if access == .write { try await store.record(Sample.plan([]), now: Sample.now) }
      _ = try await store.state(of: Sample.scope)
      _ = try await store.taskSnapshots(of: nil)
    }
    #expect(error?.code == .stateUnavailable)
    #expect(error?.message.contains(folder.database) == true)
    #expect(error?.hint?.contains("dlsync state check") == true || damage == .folder, "\(error?.hint ?? "no hint")")
    if access == .read { #expect(folder.changes(since: before) == []) }
    #expect(!folder.changes(since: before).contains("state.db"))
  }

  /// Numbers that nobody wrote who kept to the rules: they are shown as far as they can be.
  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1", "0"])
  func numbersOfAnyKindCanBeRead(number: String) async throws {
    try await finished()
    try folder.sql(
      """
      UPDATE task SET state = 7, fingerprint = x'04\(String(repeating: "00", count: 32))', device = 1, inode = 1, size = \(number),
        modified = \(number), changed = \(number), mode = \(number), recordedAt = \(number), total = \(number),
        confirmed = \(number), declaredSize = \(number), checkedAt = \(number);
      UPDATE queue SET settings = replace(settings, 'chunkSize=1048576', 'chunkSize=\(number)');
      """)
    let store = try await folder.open(.read)
    let tasks = try await store.taskSnapshots(of: nil)
    #expect(tasks.count == 50)
    let most = number == "9223372036854775807"
    #expect(tasks.allSatisfy { $0.completedBytes == ByteCount(most ? .max : 0) })
    if most { #expect(tasks.allSatisfy { $0.confirmedChunks == 1 }) }
    #expect(try await store.state(of: Sample.scope).tasks.allSatisfy { $0.published != nil })
  }

  @Test(arguments: [Store.Access.read, .write])
  func aNewerStateIsNotTouched(access: Store.Access) async throws {
    try await finished()
    try folder.sql("PRAGMA user_version = 9999", "DROP TABLE piece")
    try folder.dropLog()
    let before = folder.files
    let error = await #expect(throws: DLSyncError.self) { _ = try await folder.open(access) }
    #expect(error?.code == .stateTooNew)
    #expect(error?.message.contains("9999") == true)
    #expect(error?.message.contains(folder.database) == true)
    #expect(folder.changes(since: before) == [])
  }

  /// SQLite would take it for an empty log, and its readers would wait for somebody to write it anew: here neither records
  /// nor seconds are lost without a word.
  @Test(arguments: [33, 100, 40_000], [Store.Access.read, .write])
  func aLogThatIsNoneIsDamage(length: Int, access: Store.Access) async throws {
    try await finished()
    let store = try await folder.open()
    try await store.record(Sample.plan([Sample.download(Sample.entry("late"))]), now: Sample.now)
    let killed = folder.files
    await store.close()
    for (name, file) in killed { StateFolder.write(file.bytes, folder.path + "/" + name) }
    StateFolder.write((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 13) }, folder.database + "-wal")
    let before = folder.files
    let began = ContinuousClock.now
    let error = await #expect(throws: DLSyncError.self) { _ = try await folder.open(access).state(of: Sample.scope) }
    #expect(error?.code == .stateUnavailable)
    #expect(error?.message.contains("state.db-wal") == true)
    #expect(error?.hint?.contains("dlsync state rebuild") == true)
    #expect(ContinuousClock.now - began < .seconds(5))
    #expect(folder.changes(since: before) == [])
  }

  /// A loss of power can leave zeros where nothing was committed yet.
  @Test func aLogOfZerosIsEmpty() async throws {
    try await finished()
    StateFolder.write([UInt8](repeating: 0, count: 4152), folder.database + "-wal")
    #expect(try await folder.open(.read).state(of: Sample.scope).tasks.count == 50)
    #expect(try await folder.open().state(of: Sample.scope).tasks.count == 50)
  }
}
