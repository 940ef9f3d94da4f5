import Glibc
import Testing

@testable import DLSyncDisk

/// Trying what a file system can do.
@Suite struct FolderProbeTests {
  @Test func whatAKilledProbeLeftIsNoTroubleAndGoesWithTheNext() throws {
    let scratch = try Scratch()
    // A container's processes get the same number at each start.
    for name in [".dlsync-probe-\(getpid())", ".dlsync-probe-\(getpid())-1f", ".dlsync-probe-2147483646"] {
      try scratch.folder(name)
      try scratch.file(name + "/a")
      try scratch.file(name + "/c")
    }
    let probe = FolderProbe(folder: scratch.path)
    #expect(probe.trouble == nil && probe.locksHold)
    #expect(scratch.names().isEmpty)
  }

  @Test func aProbeThatRunsAndFilesOfOthersStay() throws {
    let scratch = try Scratch()
    try scratch.folder(".dlsync-probe-\(getpid())-2a")
    let held = open(scratch(".dlsync-probe-\(getpid())-2a"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(held) }
    #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
    try scratch.folder(".dlsync-probe-2147483646")
    try scratch.file(".dlsync-probe-2147483646/notes")
    try scratch.folder(".dlsync-probe-notes")
    let before = scratch.names()
    #expect(FolderProbe(folder: scratch.path).trouble == nil)
    #expect(scratch.names() == before)
    #expect(scratch.exists(".dlsync-probe-2147483646/notes"))
  }
}
