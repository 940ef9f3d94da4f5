import DLSyncModel
import Glibc
import Testing

@testable import DLSyncDisk

@Suite struct FolderTests {
  /// Ways to a destination that lead out of the root or are no folders; nothing may be made anywhere.
  @Test(arguments: [
    "out/f", "deep/up/f", "absolute/f", "file/f", "file/x/f", "dangling/f", "loop/f", "pipe/f", "pipe/x/f", "dots/x/f",
  ])
  func badWaysAreRefusedAlikeBySurveyAndPart(destination: String) throws {
    let scratch = try Scratch()
    try scratch.folder("outside")
    try scratch.folder("root")
    try scratch.folder("root/deep")
    try scratch.link("root/out", to: "../outside")
    try scratch.link("root/deep/up", to: "../../outside")
    try scratch.link("root/absolute", to: scratch("outside"))
    try scratch.link("root/dangling", to: "nowhere")
    try scratch.link("root/loop", to: "loop")
    try scratch.link("root/dots", to: "deep/../..")
    try scratch.file("root/file")
    try scratch.pipe("root/pipe")
    let entry = try scratch.entry(destination, root: scratch("root"))
    let observation = Surveyor().survey([entry]).observations[0]
    let name = String(destination.prefix { $0 != "/" })
    let culprit = scratch("root/" + (name == "deep" ? "deep/up" : name))
    if ["out", "deep", "absolute", "dots"].contains(name) {
      #expect(observation == .leavesRoot(culprit))
    } else {
      #expect(observation == .parentIsNoFolder(culprit))
    }
    let error = try #require(throws: DLSyncError.self) {
      try PartFile.open(for: entry, keepExisting: false, digests: [])
    }
    #expect(error.code == .destinationInvalid, "\(error)")
    #expect(error.message.contains(culprit), "\(error)")
    #expect(scratch.names("outside") == [])
    #expect(!scratch.exists("root/nowhere"))
  }

  @Test(arguments: ["inside", "absolute", "far/back"]) func linksThatStayInTheRootAreFollowed(link: String) throws {
    let scratch = try Scratch()
    try scratch.folder("root")
    try scratch.folder("root/real")
    try scratch.folder("root/far")
    try scratch.link("root/inside", to: "real")
    try scratch.link("root/absolute", to: scratch("root/real"))
    try scratch.link("root/far/back", to: "../real")
    let entry = try scratch.entry(link + "/new/f", root: scratch("root"))
    #expect(Surveyor().survey([entry]).observations == [.absent])
    let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
    #expect(scratch.names("root/real/new") == [part.name])
  }

  /// One that was made and whose name has not reached the device yet stays new for whoever opens it again.
  @Test func newFoldersStayNewUntilTheyAreFlushed() throws {
    let scratch = try Scratch()
    let (first, second) = (try scratch.entry("new/below/a"), try scratch.entry("new/below/b"))
    let part = try PartFile.open(for: first, keepExisting: false, digests: [])
    #expect(part.isInNewFolder)
    let other = try PartFile.open(for: second, keepExisting: false, digests: [])
    #expect(other.isInNewFolder)
    #expect(FolderFlush.run([other]) == [nil])
    #expect(!part.isInNewFolder && !other.isInNewFolder)
    #expect(try !PartFile.open(for: second, keepExisting: true, digests: []).isInNewFolder)
  }

  @Test func foldersOnTheWayToANewOneAreNewToo() throws {
    let scratch = try Scratch()
    let deep = try PartFile.open(for: scratch.entry("new/below/a"), keepExisting: false, digests: [])
    let above = try PartFile.open(for: scratch.entry("new/b"), keepExisting: false, digests: [])
    #expect(deep.isInNewFolder && above.isInNewFolder)
    #expect(FolderFlush.run([deep, above]) == [nil, nil])
    #expect(!deep.isInNewFolder && !above.isInNewFolder)
  }

  /// No file lies in the root itself: it is settled with its file system, and not new for ever.
  @Test func aNewRootIsSettledWithWhatIsBelowIt() throws {
    let scratch = try Scratch()
    let root = scratch("root")
    let first = try PartFile.open(for: scratch.entry("bin/a", root: root), keepExisting: false, digests: [])
    #expect(first.isInNewFolder)
    #expect(FolderFlush.run([first]) == [nil])
    let second = try PartFile.open(for: scratch.entry("bin/b", root: root), keepExisting: false, digests: [])
    #expect(!first.isInNewFolder && !second.isInNewFolder)
  }

  @Test func foldersWhoseNamesAreTwoFormsOfOneTextAreTwo() throws {
    let scratch = try Scratch()
    let entries = try ["\u{e9}/f", "e\u{301}/f"].map { try scratch.entry($0) }
    let shelf = FolderShelf()
    let inodes = try (entries + entries).map { entry -> UInt64 in
      try FolderIdentity(shelf.folder(of: entry.destination).descriptor).inode
    }
    #expect(Set(inodes).count == 2 && inodes[0] == inodes[2] && inodes[1] == inodes[3])
    try scratch.file("\u{e9}/f")
    #expect(Surveyor().survey(entries).aliases == [])
    let seen = Surveyor().survey(recorded: entries.map(\.destination.path))
    #expect(seen.count == 2 && seen[BytewiseText(entries[1].destination.path)] == .absent)
  }

  @Test(arguments: [nil, HeldBytes()]) func aFolderThatWasRemovedMeanwhileIsMadeAnew(room: HeldBytes?) throws {
    let scratch = try Scratch()
    let shelf = FolderShelf()
    let entries = try ["d/x", "d/y"].map { try scratch.entry($0) }
    try PartFile.open(for: entries[0], keepExisting: false, digests: [], folders: shelf, room: room).discard()
    #expect(scratch.names("d") == [])
    rmdir(scratch("d"))
    let part = try PartFile.open(for: entries[1], keepExisting: false, digests: [], folders: shelf, room: room)
    try part.makeFile()
    #expect(scratch.names("d") == [part.name])
  }

  @Test func absoluteDestinationsFollowLinksAnywhere() throws {
    let scratch = try Scratch()
    try scratch.folder("outside")
    try scratch.folder("root")
    try scratch.link("root/out", to: scratch("outside"))
    let entry = try scratch.entry(scratch("root/out/x/f"), root: scratch("root"))
    let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
    #expect(scratch.names("outside/x") == [part.name])
  }

  @Test func rootMayBeMissingOrALink() throws {
    let scratch = try Scratch()
    let part = try PartFile.open(for: scratch.entry("d/f", root: scratch("a/b")), keepExisting: false, digests: [])
    #expect(scratch.names("a/b/d") == [part.name])
    try scratch.folder("real")
    try scratch.link("root", to: "real")
    let other = try PartFile.open(for: scratch.entry("d/f", root: scratch("root")), keepExisting: false, digests: [])
    #expect(scratch.names("real/d") == [other.name])
  }

  @Test func folderSwappedForALinkIsNotFollowed() async throws {
    let scratch = try Scratch()
    try scratch.folder("outside")
    let entry = try scratch.entry("root/d/f")
    let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
    try part.put([1], 0..<1)
    let digests = try await part.finish(length: 1)
    #expect(rename(scratch("root/d"), scratch("root/moved")) == 0)
    try scratch.link("root/d", to: scratch("outside"))
    let publication = Publication(part: part, basis: .absent, permissions: nil, fingerprint: digests[.sha256]!)
    #expect(code(Publisher().move([publication])[0]) == .fileSystem)
    #expect(scratch.names("outside") == [])
    #expect(scratch.names("root/moved") == [], "nobody would look for it there")
  }

  /// A report of success says that the file is where the manifest wants it.
  @Test(arguments: ["moved", "replaced", "removed", "root moved"])
  func folderThatIsElsewhereGetsNoFile(change: String) async throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("d/f", root: scratch("root"))
    let parts = try ["d/f", "g"].map { name in
      try PartFile.open(for: scratch.entry(name, root: scratch("root")), keepExisting: false, digests: [])
    }
    var batch: [Publication] = []
    for part in parts {
      try part.put([1], 0..<1)
      let digests = try await part.finish(length: 1)
      batch.append(Publication(part: part, basis: .absent, permissions: nil, fingerprint: digests[.sha256]!))
    }
    switch change {
    case "removed": #expect(unlink(scratch("root/d/\(parts[0].name)")) == 0 && rmdir(scratch("root/d")) == 0)
    case "root moved": #expect(rename(scratch("root"), scratch("other")) == 0)
    default: #expect(rename(scratch("root/d"), scratch("root/other")) == 0)
    }
    if change == "replaced" {
      try scratch.folder("root/d")
      try scratch.file("root/d/f")
    }
    let results = Publisher().move(batch)
    #expect(code(results[0]) == .fileSystem)
    #expect(code(results[1]) == (change == "root moved" ? .fileSystem : nil), "its own folder is where it was")
    #expect(scratch.content("root/d/f") == (change == "replaced" ? Array("mine".utf8) : nil))
    #expect(scratch.names("root/other") == [] && scratch.names("other/d") == [])
    if change != "replaced" { #expect(Surveyor().survey([entry]).observations[0] == .absent) }
  }

  @Test func foldersWhoseNamesLookAlikeAreTwo() throws {
    let scratch = try Scratch()
    let shelf = FolderShelf()
    let parts = try ["caf\u{E9}/x", "cafe\u{301}/y"].map { name in
      try PartFile.open(for: scratch.entry(name), keepExisting: false, digests: [], folders: shelf)
    }
    #expect(scratch.names("caf\u{E9}") == [parts[0].name] && scratch.names("cafe\u{301}") == [parts[1].name])
  }

  @Test func tooLongNamesAreSaidToBeTooLong() throws {
    let scratch = try Scratch()
    let long = String(repeating: "n", count: 256)
    let entries = try [long, "d/" + long, long + "/f", "missing/" + long + "/f"].map { try scratch.entry($0) }
    #expect(Surveyor().survey(entries).observations == Array(repeating: .nameTooLong, count: 4))
    let below = try ["f/" + long + "/f", long + "/f"].map { try scratch.entry($0, root: scratch("none")) }
    #expect(
      Surveyor().survey(below).observations == [.nameTooLong, .nameTooLong], "below a root that is not there yet")
    let most = try scratch.entry("d/" + long.dropLast())
    #expect(Surveyor().survey([most]).observations == [.absent])
    for entry in entries.suffix(2) {
      let error = try #require(throws: DLSyncError.self) {
        try PartFile.open(for: entry, keepExisting: false, digests: [])
      }
      #expect(error.code == .destinationInvalid)
      #expect(error.message.contains("255"))
    }
    let deep = try scratch.entry(String(repeating: "d/", count: 2100) + "f")
    #expect(Surveyor().survey([deep]).observations == [.nameTooLong])
    #expect(throws: DLSyncError.self) { try PartFile.open(for: deep, keepExisting: false, digests: []) }
    #expect(!scratch.exists("d"))
  }

  @Test(.enabled(if: geteuid() == 0, "changing a group needs root")) func setGroupFoldersHandTheirGroupOn() throws {
    let scratch = try Scratch()
    try scratch.folder("root")
    #expect(chown(scratch("root"), 0, 12345) == 0)
    #expect(chmod(scratch("root"), 0o2775) == 0)
    let part = try PartFile.open(for: scratch.entry("root/d/e/f"), keepExisting: false, digests: [])
    for name in ["root/d", "root/d/e", "root/d/e/" + part.name] {
      #expect(scratch.status(name)?.st_gid == 12345, "\(name)")
    }
    #expect(try #require(scratch.status("root/d/e")).st_mode & S_ISGID != 0)
  }

  @Test(.enabled(if: SmallFileSystem.isAllowed, "mounting is not allowed here"))
  func readOnlyFileSystemIsPermissionDenied() throws {
    let scratch = try Scratch()
    try scratch.folder("m")
    let small = try #require(SmallFileSystem(scratch("m"), size: "1m"))
    try scratch.folder("m/d")
    #expect(small.remount("ro"))
    for destination in ["m/f", "m/d/f", "m/new/f"] {
      let entry = try scratch.entry(destination)
      let error = try #require(throws: DLSyncError.self) {
        try PartFile.open(for: entry, keepExisting: false, digests: [])
      }
      #expect(error.code == .permissionDenied, "\(error)")
      #expect(!error.isRetryable)
    }
  }
}
