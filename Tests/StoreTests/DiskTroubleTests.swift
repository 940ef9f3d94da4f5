import DLSyncModel
import Glibc
import Testing

@testable import DLSyncStore

/// A small file system in memory; needs the right to mount.
private final class SmallDisk {
  let path: String

  init?(_ path: String, _ options: String) {
    mkdir(path, 0o700)
    guard mount("tmpfs", path, "tmpfs", 0, options) == 0 else { return nil }
    self.path = path
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  func resize(_ size: String) -> Bool { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(size)") == 0 }

  func makeReadOnly() -> Bool { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 }

  static let isPossible: Bool = {
    let folder = StateFolder()
    return SmallDisk(folder.path, "size=64k") != nil
  }()
}

@Suite(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
struct DiskTroubleTests {
  let folder = StateFolder()
  let entries = (0..<2000).map { Sample.entry("a/long/enough/destination/to/fill/pages/quickly/f\($0)") }

  @Test func aReadOnlyFolderIsAnErrorThatNamesIt() async throws {
    let disk = try #require(SmallDisk(folder.path, "size=16m,mode=0700"))
    #expect(disk.makeReadOnly())
    #expect(try await Store.open(folder: folder.path, access: .read) == nil)
    let error = await #expect(throws: DLSyncError.self) { _ = try await folder.open() }
    #expect(error?.code == .stateUnavailable)
    #expect(error?.message.contains(folder.path) == true)
  }

  @Test(arguments: [true, false])
  func aReadOnlyStateCanBeReadButNotWritten(hasLog: Bool) async throws {
    let disk = try #require(SmallDisk(folder.path, "size=16m,mode=0700"))
    let store = try await folder.open()
    try await store.record(Sample.plan([Sample.download(entries[0])]), now: Sample.now)
    await store.close()
    if !hasLog { try folder.dropLog() }
    #expect(disk.makeReadOnly())
    #expect(try await folder.open(.read).state(of: Sample.scope).tasks.count == 1)
    let writer = try await folder.open()
    let error = await #expect(throws: DLSyncError.self) {
      try await writer.record(Sample.plan([Sample.download(entries[1])]), now: Sample.now)
    }
    #expect(error?.code == .stateUnavailable)
    #expect(error?.message.contains(folder.path) == true)
  }

  @Test(arguments: [0, 4, 40, 60, 80, 120, 200, 400])
  func aFullDiskIsAnErrorAndWhatStoodThereStays(kibibytes: Int) async throws {
    let disk = try #require(SmallDisk(folder.path, "size=16m,mode=0700"))
    let store = try await folder.open()
    try await store.record(Sample.plan([Sample.download(entries[0])]), now: Sample.now)
    await store.close()
    let used = folder.files.values.reduce(0) { $0 + Int($1.stamp.size + 4095) / 4096 * 4 }
    #expect(disk.resize("\(used + kibibytes)k"))
    let writer = try await folder.open()
    let error = await #expect(throws: DLSyncError.self) {
      try await writer.record(Sample.plan(entries.map { Sample.download($0) }), now: Sample.now)
    }
    #expect(error?.code == .diskFull)
    #expect(error?.message.contains(folder.path) == true)
    #expect(try await folder.open(.read).state(of: Sample.scope).tasks.count == 1)
    #expect(disk.resize("16m"))
    try await writer.record(Sample.plan(entries.map { Sample.download($0) }), now: Sample.now)
    #expect(try await folder.open(.read).state(of: Sample.scope).tasks.count == 2000)
  }

  @Test(arguments: [4, 16, 32])
  func aDiskThatIsFullFromTheBeginningIsAnError(kibibytes: Int) async throws {
    let disk = try #require(SmallDisk(folder.path, "size=\(kibibytes)k,mode=0700"))
    let error = await #expect(throws: DLSyncError.self) { _ = try await folder.open() }
    #expect(error?.code == .diskFull)
    #expect(StateFolder.names(in: folder.path) == [])
    #expect(disk.resize("16m"))
    _ = try await folder.open()
  }
}
