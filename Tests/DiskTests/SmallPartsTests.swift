import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import Glibc
import Testing

@Suite struct CopierTests {
  @Test(arguments: [0, 1, 3 << 20]) func copyIsAnotherFileWithTheSameBytes(size: Int) async throws {
    let scratch = try Scratch()
    let bytes = payload(count: size, seed: 8)
    try scratch.file("from", bytes)
    let source = try scratch.entry("from")
    guard case .file(let identity) = Surveyor().survey([source]).observations[0] else {
      throw SupportError("nothing is at from")
    }
    let part = try PartFile.open(for: scratch.entry("d/to"), keepExisting: false, digests: [])
    #expect(try Copier.copy(from: source.destination, identity: identity, into: part) == ByteCount(Int64(size)))
    #expect(try await part.finish(length: Int64(size))[.sha256] == fingerprint(bytes))
    #expect(scratch.content("d/" + part.name) == bytes)
    #expect(scratch.status("d/" + part.name)?.st_ino != scratch.status("from")?.st_ino)
  }

  @Test(arguments: ["edited", "link", "gone", "pipe"]) func sourceMustBeTheFileThatWasSeen(change: String) throws {
    let scratch = try Scratch()
    try scratch.file("from")
    let source = try scratch.entry("from")
    guard case .file(let identity) = Surveyor().survey([source]).observations[0] else {
      throw SupportError("nothing is at from")
    }
    switch change {
    case "edited": try scratch.file("from", Array("other".utf8))
    case "link":
      #expect(rename(scratch("from"), scratch("moved")) == 0)
      try scratch.link("from", to: "moved")
    case "gone": unlink(scratch("from"))
    default:
      unlink(scratch("from"))
      try scratch.pipe("from")
    }
    let part = try PartFile.open(for: scratch.entry("to"), keepExisting: false, digests: [])
    #expect(throws: DLSyncError.self) { try Copier.copy(from: source.destination, identity: identity, into: part) }
    part.discard()
  }
}

@Suite struct PermissionsTests {
  @Test(arguments: [0, 0o600, 0o755] as [UInt16]) func modeIsSetAndNothingElse(mode: UInt16) throws {
    let scratch = try Scratch()
    try scratch.file("f")
    chmod(scratch("f"), 0o200)
    let entry = try scratch.entry("f")
    guard case .file(let identity) = Surveyor().survey([entry]).observations[0] else {
      throw SupportError("nothing is at f")
    }
    let now = try Permissions.apply(mode, to: entry.destination, identity: identity)
    #expect(try #require(scratch.status("f")).st_mode & 0o7777 == UInt32(mode))
    #expect(now.mode == mode)
    #expect((now.inode, now.size, now.modified) == (identity.inode, identity.size, identity.modified))
    #expect(Surveyor().survey([entry]).observations[0] == .file(now))
  }

  @Test func modeGoesThroughNoLink() throws {
    let scratch = try Scratch()
    try scratch.file("f")
    let entry = try scratch.entry("f")
    guard case .file(let identity) = Surveyor().survey([entry]).observations[0] else {
      throw SupportError("nothing is at f")
    }
    let before = scratch.status("f")?.st_mode
    #expect(rename(scratch("f"), scratch("moved")) == 0)
    try scratch.link("f", to: "moved")
    let error = try #require(throws: DLSyncError.self) {
      try Permissions.apply(0o777, to: entry.destination, identity: identity)
    }
    #expect(error.code == .destinationModified)
    #expect(scratch.status("moved")?.st_mode == before)
  }
}

@Suite struct FileTextTests {
  @Test func filesAreReadWholeUpToTheLimit() throws {
    let scratch = try Scratch()
    let bytes = payload(count: 200_000, seed: 9)
    try scratch.file("f", bytes)
    #expect(try FileText.read(scratch("f"), limit: 200_000) == bytes)
    let error = try #require(throws: DLSyncError.self) { try FileText.read(scratch("f"), limit: 199_999) }
    #expect(error.code == .usage)
    #expect(error.message.contains("larger than 195.3 KiB"))
    try scratch.file("empty", [])
    #expect(try FileText.read(scratch("empty"), limit: 10) == [])
  }

  @Test func pipesAreReadToTheirEnd() throws {
    let scratch = try Scratch()
    try scratch.pipe("p")
    let writer = try #require(spawn(["sh", "-c", "echo hello > \(scratch("p"))"]))
    #expect(try FileText.read(scratch("p"), limit: 100) == Array("hello\n".utf8))
    #expect(wait(for: writer) == 0)
  }

  @Test(arguments: [
    ("absent", "there is no such file"), ("folder", "it is a folder"),
    ("file/x", "something on the way is not a folder"),
  ])
  func troubleIsAUsageErrorThatNamesThePath(name: String, reason: String) throws {
    let scratch = try Scratch()
    try scratch.folder("folder")
    try scratch.file("file")
    let error = try #require(throws: DLSyncError.self) { try FileText.read(scratch(name), limit: 100) }
    #expect(error.code == .usage)
    #expect(error.message == "could not read \"\(scratch(name))\": \(reason)")
  }

  @Test func canonicalPathHasNoLinksAndDots() throws {
    let scratch = try Scratch()
    try scratch.folder("d")
    try scratch.file("d/f")
    try scratch.link("l", to: "d")
    #expect(try FileText.canonicalPath(scratch("./l/../d/f")) == scratch("d/f"))
    #expect(throws: DLSyncError.self) { try FileText.canonicalPath(scratch("absent")) }
  }
}

@Suite struct RemovalTests {
  @Test(arguments: ["same", "touched", "edited", "link", "folder", "gone", "no folder"])
  func onlyThePublishedBytesAreRemoved(what: String) throws {
    let scratch = try Scratch()
    let entry = try scratch.entry(what == "no folder" ? "d/f" : "f")
    try scratch.file("user")
    switch what {
    case "same": try scratch.file("f")
    case "touched":
      try scratch.file("f")
      utimes(scratch("f"), nil)
    case "edited": try scratch.file("f", Array("mime".utf8))
    case "link": try scratch.link("f", to: "user")
    case "folder": try scratch.folder("f")
    default: break
    }
    let result = try Publisher().remove(entry.id, at: entry.destination, fingerprint: fingerprint(Array("mine".utf8)))
    let expected: Removal =
      switch what {
      case "same", "touched": .removed
      case "gone", "no folder": .absent
      default: .kept
      }
    #expect(result == expected)
    #expect(scratch.names() == (expected == .kept ? ["f", "user"] : ["user"]))
    #expect(scratch.content("user") == Array("mine".utf8))
  }
}
