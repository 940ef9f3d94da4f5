import DLSyncDisk
import DLSyncModel
import DLSyncThreading
import Glibc
import Testing

@Suite struct OrphanRemovalTests {
  private let scratch: Scratch
  private let bytes = Array("published bytes".utf8)
  private let task = TaskID("0123456789ab")!

  init() throws { scratch = try Scratch() }

  /// The record of a file that is there; `age` is how long before the record its last change seems to be.
  private func published(_ name: String, age: Int64 = 1_000_000_000) throws -> PublishedFile {
    let status = try #require(scratch.status(name))
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }
    let identity = FileIdentity(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: nanoseconds(status.st_mtim), changed: nanoseconds(status.st_ctim), mode: UInt16(status.st_mode & 0o777))
    let digest = try #require(bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.sha256]) }[.sha256])
    return PublishedFile(
      fingerprint: digest, identity: identity, recordedAt: Timestamp(nanoseconds: identity.changed + age))
  }

  private func remove(
    _ name: String, _ published: [PublishedFile], needed: [String] = []
  ) throws -> PrunedFile.End {
    var removal = OrphanRemoval(needed: needed.map { scratch($0) })
    return try removal.run(task, scratch(name), published: published)
  }

  @Test(arguments: [1_000_000_000, 0] as [Int64]) func publishedBytesGo(age: Int64) throws {
    try scratch.file("a", bytes)
    try #expect(remove("a", [published("a", age: age)]) == .deleted)
    #expect(!scratch.exists("a"))
    try #expect(remove("a", []) == .absent)
  }

  @Test func whatIsNotReadToItsEndStays() throws {
    try scratch.file("a", bytes)
    let cancel = CancelToken()
    cancel.cancel()
    // Its time stamps leave a doubt, so that it would have to be read.
    var removal = OrphanRemoval(needed: [], cancel: cancel)
    #expect(try removal.run(task, scratch("a"), published: [published("a", age: 0)]) == .kept)
    #expect(scratch.exists("a"))
  }

  /// What cannot be looked at may be there: the record of it stays.
  @Test func doubtIsNoAbsence() throws {
    try scratch.file("a", bytes)
    let record = try published("a")
    let endless = String(repeating: "n", count: 256)
    #expect(throws: DLSyncError.self) { try remove(endless + "/a", [record]) }
    #expect(throws: DLSyncError.self) { try remove(endless, [record]) }
    try scratch.file("file", bytes)
    try #expect(remove("file/a", [record]) == .absent, "nothing can be below a file")
  }

  /// A kill between the two steps of a removal leaves the file aside.
  @Test func fileThatAKilledProcessTookAsideGoesToo() throws {
    try scratch.file("a", bytes)
    let record = try published("a")
    #expect(rename(scratch("a"), scratch(".dlsync-\(task).aside")) == 0)
    try #expect(remove("a", [record]) == .deleted)
    #expect(scratch.names() == [])
  }

  @Test func strangersFileThatWasTakenAsideComesBack() throws {
    try scratch.file(".dlsync-\(task).aside")
    try #expect(remove("a", []) == .kept)
    #expect(scratch.names() == ["a"] && scratch.content("a") == Array("mine".utf8))
    try scratch.file(".dlsync-\(task).aside", bytes)
    try #expect(remove("a", []) == .kept)
    #expect(scratch.content("a") == Array("mine".utf8), "a name that is taken stays with its file")
  }

  @Test func copyWithTheSameBytesGoes() throws {
    try scratch.file("a", bytes)
    let record = try published("a")
    try scratch.file("b", bytes)
    #expect(rename(scratch("b"), scratch("a")) == 0)
    try #expect(remove("a", [record]) == .deleted)
  }

  @Test func otherBytesOfTheSameSizeStay() throws {
    try scratch.file("a", bytes)
    let record = try published("a", age: 0)
    try scratch.file("a", bytes.map { $0 ^ 1 })
    try #expect(remove("a", [record]) == .kept)
    #expect(scratch.exists("a"))
  }

  @Test func nothingRecordedVouchesForNothing() throws {
    try scratch.file("a", bytes)
    try #expect(remove("a", []) == .kept)
  }

  @Test func linksAndFoldersStay() throws {
    try scratch.file("a", bytes)
    let record = try published("a")
    #expect(rename(scratch("a"), scratch("target")) == 0)
    try scratch.link("a", to: "target")
    try #expect(remove("a", [record]) == .kept)
    #expect(scratch.content("target") == bytes && scratch.exists("a"))
    #expect(unlink(scratch("a")) == 0)
    try scratch.folder("a")
    try #expect(remove("a", [record]) == .kept)
    #expect(scratch.exists("a"))
  }

  @Test func fileThatIsNeededByAnotherNameStays() throws {
    try scratch.folder("d")
    try scratch.file("d/a", bytes)
    try scratch.link("way", to: "d")
    try #expect(remove("way/a", [published("d/a")], needed: ["d/a"]) == .kept)
    #expect(scratch.exists("d/a"))
  }

  @Test func foldersThatBecomeEmptyStay() throws {
    try scratch.folder("d")
    try scratch.file("d/a", bytes)
    try #expect(remove("d/a", [published("d/a")]) == .deleted)
    #expect(scratch.exists("d"))
  }
}
