import DLSyncModel
import Testing

@testable import DLSyncKit

@Suite struct LockBlameTests {
  private func entry(size: Int64?) throws -> FileEntry {
    FileEntry(
      scope: Scope("s"), url: try SourceURL("http://h/a"), destination: try Destination("a", root: "/root"),
      queue: .default, size: size.map { ByteCount($0) })
  }

  private func naming(_ error: DLSyncError, of entry: FileEntry, declaredSizes: Set<TaskID> = []) -> DLSyncError {
    let lock = LockCoverage(source: "m.lock", uncovered: [], declaredSizes: declaredSizes)
    return lock.pin(of: entry, manifest: "m.yaml")?.naming(error, of: entry) ?? error
  }

  @Test func aPinnedSizeIsToldOfTheLockFileWhateverElseIsSaid() throws {
    let found = "\"http://h/a\" has 7 bytes, as the manifest declares"
    let error = DLSyncError(SizeMismatch(declared: 5, found: found), hint: "correct it")
    #expect(error.code == .sizeMismatch && error.message == "the manifest declares 5 bytes, \(found)")
    let named = naming(error, of: try entry(size: 5))
    #expect(named.code == .sizeMismatch && named.message == "the lock file \"m.lock\" pins 5 bytes, \(found)")
    #expect(named.hint?.contains("`dlsync lock --update m.yaml`") ?? false)
  }

  @Test func otherSizesAreNotTheLockFiles() throws {
    let error = DLSyncError(SizeMismatch(declared: 5, found: "the server has 7 bytes"), hint: "correct it")
    #expect(naming(error, of: try entry(size: nil)) == error)
    let entry = try entry(size: 5)
    #expect(naming(error, of: entry, declaredSizes: [entry.id]) == error)
    let list = DLSyncError(.sizeMismatch, "it is larger than the manifest declares")
    #expect(naming(list, of: entry) == list)
  }
}
