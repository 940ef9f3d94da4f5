import DLSyncModel
import Glibc
import Testing

@testable import DLSyncStore

@Suite struct OpeningTests {
  let folder = StateFolder()

  @Test func readingWhereNothingWasRecordedMakesNothing() async throws {
    #expect(try await Store.open(folder: folder.path, access: .read) == nil)
    #expect(StateFolder.names(in: folder.base) == [])
    mkdir(folder.path, 0o700)
    #expect(try await Store.open(folder: folder.path, access: .read) == nil)
    #expect(StateFolder.names(in: folder.path) == [])
  }

  @Test func aDatabaseThatOthersMayReadIsTakenFromThem() async throws {
    _ = try await folder.open()
    chmod(folder.database, 0o644)
    try await folder.open().record(Sample.plan([]), now: Sample.now)
    #expect(StateFiles.stamp(folder.database).map { $0.mode & 0o777 } == 0o600)
  }

  @Test func missingParentsAreMade() async throws {
    let store = try await Store.open(folder: folder.base + "/a/b/c", access: .write)
    #expect(store != nil)
    #expect(StateFolder.names(in: folder.base + "/a/b/c") == ["state.db"])
  }

  @Test func aLinkedFolderIsTheFolder() async throws {
    mkdir(folder.base + "/elsewhere", 0o700)
    symlink("elsewhere", folder.path)
    let store = try await folder.open()
    try await store.record(Sample.plan([Sample.download(Sample.entry("a"))]), now: Sample.now)
    await store.close()
    #expect(try await folder.open(.read).state(of: Sample.scope).tasks.count == 1)
    #expect(StateFolder.names(in: folder.base + "/elsewhere").contains("state.db"))
  }

  @Test(arguments: [Store.Access.read, .write])
  func aLinkToNothingIsNoEmptyState(access: Store.Access) async throws {
    mkdir(folder.path, 0o700)
    symlink("/unmounted/state.db", folder.database)
    symlink("/unmounted/state", folder.base + "/linked")
    for path in [folder.path, folder.base + "/linked"] {
      let error = await #expect(throws: DLSyncError.self) { _ = try await Store.open(folder: path, access: access) }
      #expect(error?.code == .stateUnavailable)
      #expect(error?.message.contains("is a link to nothing") == true, "\(error?.message ?? "")")
    }
    #expect(StateFolder.names(in: folder.path) == ["state.db"])
    #expect(StateFiles.stamp(folder.database) == nil, "it leads nowhere still")
  }

  @Test(arguments: ["a b", "100%25", "what?#not", "ünïcode", "quo'te\"s"])
  func anyFolderNameWorks(name: String) async throws {
    let path = folder.base + "/" + name
    let store = try #require(try await Store.open(folder: path, access: .write))
    try await store.record(Sample.plan([Sample.download(Sample.entry("a"))]), now: Sample.now)
    let reader = try #require(try await Store.open(folder: path, access: .read))
    #expect(try await reader.state(of: Sample.scope).tasks.count == 1)
    #expect(StateFolder.names(in: path) == ["state.db", "state.db-shm", "state.db-wal"])
  }

  @Test(arguments: [Store.Access.read, .write])
  func aFileInTheFoldersPlaceIsLeftAlone(access: Store.Access) async throws {
    StateFolder.write(Array("mine".utf8), folder.path)
    let error = await #expect(throws: DLSyncError.self) {
      _ = try await Store.open(folder: folder.path, access: access)
    }
    #expect(error?.code == .stateUnavailable)
    #expect(error?.message.contains(folder.path) == true)
    #expect(StateFolder.read(folder.path) == Array("mine".utf8))
  }

  @Test func aDraftThatAKilledProcessLeftIsWrittenOver() async throws {
    mkdir(folder.path, 0o700)
    StateFolder.write(Array("half".utf8), folder.database + "-new")
    #expect(try await folder.open().state(of: Sample.scope).tasks.isEmpty)
    #expect(StateFolder.names(in: folder.path) == ["state.db"])
  }
}
