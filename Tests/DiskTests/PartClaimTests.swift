import DLSyncModel
import DLSyncTestSupport
import Glibc
import Testing

@testable import DLSyncDisk

@Suite struct PartClaimTests {
  /// Things that may bear the name of a part file and are none of ours; what they hold must stay.
  enum Stranger: CaseIterable { case folder, link, danglingLink, pipe, lockedFile, openFile }

  @Test(arguments: Stranger.allCases, [false, true])
  func strangersAtThePartNameAreLeftAlone(stranger: Stranger, keepExisting: Bool) async throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("f")
    let name = PartClaim.name(entry.id)
    var held: Int32 = -1
    defer { if held >= 0 { close(held) } }
    try scratch.file("user")
    switch stranger {
    case .folder:
      try scratch.folder(name)
      try scratch.file(name + "/x")
    case .link: try scratch.link(name, to: "user")
    case .danglingLink: try scratch.link(name, to: "nowhere")
    case .pipe: try scratch.pipe(name)
    case .lockedFile, .openFile:
      try scratch.file(name)
      held = open(scratch(name), O_RDWR | O_CLOEXEC)
      if stranger == .lockedFile { #expect(flock(held, LOCK_EX) == 0) }
    }
    let before = scratch.status(name)?.st_ino
    let part = try PartFile.open(for: entry, keepExisting: keepExisting, digests: [])
    #expect(part.name == ".dlsync-\(entry.id).\(getpid()).part")
    try part.put([1, 2, 3], 0..<3)
    #expect(try await part.finish(length: 3)[.sha256] == fingerprint([1, 2, 3]))
    #expect(scratch.status(name)?.st_ino == before)
    #expect(scratch.content("user") == Array("mine".utf8))
    #expect(!scratch.exists("nowhere"))
    if held >= 0 { #expect(scratch.content(name) == Array("mine".utf8)) }
    if stranger == .folder { #expect(scratch.exists(name + "/x")) }
  }

  @Test func partOfAnotherProcessIsNotJoined() throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("f")
    let name = PartClaim.name(entry.id)
    try scratch.file(name)
    let holder = try #require(
      spawn(["flock", "-F", scratch(name), "sh", "-c", "touch \(scratch("held")); exec sleep 60"]))
    defer {
      kill(holder, SIGKILL)
      _ = wait(for: holder)
    }
    try #require(until { scratch.exists("held") })
    let part = try PartFile.open(for: entry, keepExisting: true, digests: [])
    #expect(part.name == PartClaim.ownName(entry.id))
    #expect(scratch.content(name) == Array("mine".utf8))
  }

  @Test func twoAtOnceNeverShareAFile() throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("f")
    let first = try PartFile.open(for: entry, keepExisting: false, digests: [])
    let second = try PartFile.open(for: entry, keepExisting: true, digests: [])
    #expect(first.name != second.name)
    #expect(throws: DLSyncError.self) { try PartFile.open(for: entry, keepExisting: true, digests: []) }
    first.keep()
    let third = try PartFile.open(for: entry, keepExisting: true, digests: [])
    #expect(third.name == first.name)
  }

  @Test func secondNameOfAPublishedFileIsNeverEmptied() throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("f")
    try scratch.file("f")
    #expect(Glibc.link(scratch("f"), scratch(PartClaim.name(entry.id))) == 0)
    let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
    #expect(part.name == PartClaim.name(entry.id))
    #expect(scratch.content("f") == Array("mine".utf8))
    #expect(scratch.status("f")?.st_nlink == 1)
  }

  @Test func namesAreReadAsTheyAreWritten() throws {
    let entry = try Scratch().entry("f")
    #expect(PartClaim.task(ofName: PartClaim.name(entry.id))! == (entry.id, true))
    #expect(PartClaim.task(ofName: PartClaim.ownName(entry.id))! == (entry.id, false))
    for name in [
      "f", ".dlsync-.part", ".dlsync-\(entry.id).part2", ".dlsync-\(entry.id)..part", ".dlsync-\(entry.id).1.2.part",
      ".dlsync-\(entry.id).x.part", ".dlsync-0123456789a.part",
    ] { #expect(PartClaim.task(ofName: name) == nil, "\(name)") }
  }

  @Test func leftoversOfEndedProcessesGoAndNothingElse() throws {
    let scratch = try Scratch()
    let entries = try ["d/a", "d/b", "d/c"].map { try scratch.entry($0) }
    try scratch.folder("d")
    for entry in entries {
      try scratch.file("d/" + PartClaim.name(entry.id))
      try scratch.file("d/.dlsync-\(entry.id).77.part")
    }
    let other = try scratch.entry("d/other")
    try scratch.file("d/" + PartClaim.name(other.id))
    let held = open(scratch("d/.dlsync-\(entries[2].id).77.part"), O_RDWR)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    try scratch.file("d/user")
    #expect(removeLeftovers(of: entries, keeping: [entries[0].id]) == 4)
    #expect(
      Set(scratch.names("d"))
        == [
          PartClaim.name(entries[0].id), ".dlsync-\(entries[2].id).77.part", PartClaim.name(other.id), "user",
        ])
  }

  @Test func probesOfEndedProcessesGo() throws {
    let scratch = try Scratch()
    let folder = try Folder.open(absolute: scratch.path, creating: false)
    try scratch.file(".dlsync-probe-77-left", [])
    try scratch.file(".dlsync-probe-78-held", [])
    let held = open(scratch(".dlsync-probe-78-held"), O_RDWR | O_CLOEXEC)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    #expect(AliasFinder.probe(folder, "same", "same"))
    #expect(!AliasFinder.probe(folder, "one", "other"))
    #expect(scratch.names() == [".dlsync-probe-78-held"])
    try scratch.file(".dlsync-probe-79-left", [])
    try scratch.file(".dlsync-probe-notes")
    #expect(removeLeftovers(of: [try scratch.entry("f")]) == 0)
    #expect(scratch.names() == [".dlsync-probe-78-held", ".dlsync-probe-notes"], "a probe has no bytes")
  }
}
