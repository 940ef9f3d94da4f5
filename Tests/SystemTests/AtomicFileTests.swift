import DLSyncSystem
import DLSyncTestSupport
import Glibc
import Testing

/// Files that are replaced in one step: reports and locks.
@Suite struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("atomic") }

  private func kind(_ name: String) -> mode_t {
    var found = stat()
    return lstat(folder(name), &found) == 0 ? found.st_mode & S_IFMT : 0
  }

  @Test func aFileIsReplacedAndKeepsItsMode() throws {
    _ = try folder.write("old", to: "f")
    chmod(folder("f"), 0o640)
    try AtomicFile.write(folder("f"), bytes: Array("new".utf8))
    #expect(folder.read("f") == Array("new".utf8) && folder.files() == ["f"])
    var found = stat()
    stat(folder("f"), &found)
    #expect(found.st_mode & 0o7777 == 0o640)
  }

  @Test func whatLiesBesideIsNobodysDraft() throws {
    let beside = "f.\(getpid()).tmp"
    _ = try folder.write("mine", to: beside)
    try AtomicFile.write(folder("f")) { (descriptor) throws(SystemTrouble) in
      #expect(folder.files().count == 2)
      // Another one, at the same time and, it may be, with the same number of process.
      try AtomicFile.write(folder("f"), bytes: Array("other".utf8))
      #expect(folder.read("f") == Array("other".utf8))
      #expect(write(descriptor, "new", 3) == 3)
    }
    #expect(folder.read("f") == Array("new".utf8) && folder.read(beside) == Array("mine".utf8))
    #expect(folder.files().sorted() == ["f", beside].sorted())
  }

  @Test func linkToWhatIsNotThereYetIsFollowed() throws {
    _ = try folder.makeFolder("far")
    symlink("far/middle", folder("f"))
    symlink(folder("far/end"), folder("far/middle"))
    for text in ["first", "second"] {
      try AtomicFile.write(folder("f"), bytes: Array(text.utf8))
      #expect(folder.read("far/end") == Array(text.utf8))
      #expect(kind("f") == S_IFLNK && kind("far/middle") == S_IFLNK)
    }
    symlink("gone/x", folder("g"))
    #expect(throws: SystemTrouble(ENOENT)) { try AtomicFile.write(folder("g"), bytes: [1]) }
    symlink("h", folder("h"))
    #expect(throws: SystemTrouble.self) { try AtomicFile.write(folder("h"), bytes: [1]) }
    #expect(kind("g") == S_IFLNK && kind("h") == S_IFLNK)
  }

  /// Unlike a pipe, which may get a reader.
  @Test(.timeLimit(.minutes(1))) func aSocketIsNotWaitedFor() {
    #expect(mknod(folder("f"), S_IFSOCK | 0o600, 0) == 0)
    #expect(throws: SystemTrouble.self) { try AtomicFile.write(folder("f"), bytes: [1]) }
  }

  @Test func failureLeavesTheOldFileAlone() throws {
    _ = try folder.write("old", to: "f")
    #expect(throws: SystemTrouble(EIO)) {
      try AtomicFile.write(folder("f")) { (descriptor) throws(SystemTrouble) in
        #expect(write(descriptor, "half", 4) == 4)
        throw SystemTrouble(EIO)
      }
    }
    #expect(folder.read("f") == Array("old".utf8) && folder.files() == ["f"])
    symlink("/dev/full", folder("full"))
    #expect(throws: SystemTrouble(ENOSPC)) { try AtomicFile.write(folder("full"), bytes: [1]) }
  }
}
