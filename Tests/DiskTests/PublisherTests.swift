import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import Glibc
import Testing

@Suite struct PublisherTests {
  private let publisher = Publisher()

  private func publication(
    _ scratch: Scratch, _ destination: String, _ bytes: [UInt8], basis: DestinationBasis = .absent,
    permissions: UInt16? = nil, modified: Timestamp? = nil
  ) async throws -> Publication {
    let part = try PartFile.open(
      for: scratch.entry(destination, permissions: permissions), keepExisting: false, digests: [])
    try part.put(bytes, 0..<bytes.count)
    let digests = try await part.finish(length: Int64(bytes.count))
    return Publication(
      part: part, basis: basis, permissions: permissions, fingerprint: digests[.sha256]!, modified: modified)
  }

  private func seen(_ scratch: Scratch, _ name: String) throws -> FileIdentity {
    guard case .file(let identity) = Surveyor().survey([try scratch.entry(name)]).observations[0] else {
      throw SupportError("no file \(name)")
    }
    return identity
  }

  @Test(arguments: [1, 3, 40]) func everyFileOfABatchIsPublishedAsItsIntentSays(count: Int) async throws {
    let scratch = try Scratch()
    var batch: [Publication] = []
    for index in 0..<count {
      batch.append(try await publication(scratch, "d\(index % 13)/f\(index)", Array("content \(index)".utf8)))
    }
    #expect(publisher.flush(batch).allSatisfy { $0 == nil })
    let intents = try publisher.identities(batch).map { try $0.get() }
    let published = try publisher.move(batch).map { try $0.get() }
    for (index, (intent, file)) in zip(intents, published).enumerated() {
      let name = "d\(index % 13)/f\(index)"
      #expect(scratch.content(name) == Array("content \(index)".utf8))
      #expect(file.fingerprint == fingerprint(Array("content \(index)".utf8)))
      #expect(file.identity == (try seen(scratch, name)))
      #expect(
        (intent.identity.inode, intent.identity.size, intent.identity.modified)
          == (file.identity.inode, file.identity.size, file.identity.modified))
    }
    for folder in 0..<min(count, 13) { #expect(!scratch.names("d\(folder)").contains { $0.hasPrefix(".dlsync") }) }
  }

  @Test func fileThatAppearsIsNotReplaced() async throws {
    let scratch = try Scratch()
    let batch = [try await publication(scratch, "f", [1]), try await publication(scratch, "g", [2])]
    try scratch.file("f")
    let results = publisher.move(batch)
    #expect(code(results[0]) == .destinationExists)
    #expect(scratch.content("f") == Array("mine".utf8))
    #expect(scratch.content(batch[0].part.name) == [1], "the part stays until the caller has decided")
    #expect(scratch.content("g") == [2], "the others of the batch are published")
  }

  @Test(arguments: ["folder", "link", "dangling", "pipe"], [false, true])
  func nothingThatAppearsIsReplaced(kind: String, mayReplace: Bool) async throws {
    let scratch = try Scratch()
    var basis = DestinationBasis.absent
    if mayReplace {
      try scratch.file("f")
      basis = .file(try seen(scratch, "f"))
    }
    let item = try await publication(scratch, "f", [1], basis: basis)
    unlink(scratch("f"))
    try scratch.file("user")
    switch kind {
    case "folder": try scratch.folder("f")
    case "link": try scratch.link("f", to: "user")
    case "dangling": try scratch.link("f", to: "nowhere")
    default: try scratch.pipe("f")
    }
    let before = scratch.status("f")?.st_ino
    let result = publisher.move([item])[0]
    #expect(code(result) == (["folder", "pipe"].contains(kind) ? .destinationInvalid : .destinationExists))
    #expect(scratch.status("f")?.st_ino == before)
    #expect(scratch.content("user") == Array("mine".utf8))
    #expect(!scratch.exists("nowhere"))
  }

  @Test func fileThatThePlanSawIsReplaced() async throws {
    let scratch = try Scratch()
    try scratch.file("f")
    let item = try await publication(scratch, "f", [1, 2], basis: .file(try seen(scratch, "f")))
    let result = publisher.move([item])[0]
    #expect(try result.get().identity == seen(scratch, "f"))
    #expect(scratch.content("f") == [1, 2])
    #expect(scratch.names() == ["f"], "the old file is gone")
  }

  @Test(arguments: ["edited", "touched", "replaced", "removed"])
  func fileThatChangedSinceThePlanIsKept(change: String) async throws {
    let scratch = try Scratch()
    try scratch.file("f")
    let item = try await publication(scratch, "f", [1], basis: .file(try seen(scratch, "f")))
    usleep(20_000)  // beyond the clock's grain
    switch change {
    case "edited": try scratch.file("f", Array("user".utf8))
    case "touched": utimes(scratch("f"), nil)
    case "replaced":
      try scratch.file("new", Array("user".utf8))
      #expect(rename(scratch("new"), scratch("f")) == 0)
    default: unlink(scratch("f"))
    }
    let before = scratch.content("f")
    #expect(code(publisher.move([item])[0]) == .destinationModified)
    #expect(scratch.content("f") == before)
  }

  @Test func manyWritersOfOneNameNeverLoseAFile() async throws {
    let scratch = try Scratch()
    try scratch.folder("d")
    // Eight part files for one name, each under a task of its own; exactly one of them gets it.
    var batch: [Publication] = []
    for index in 0..<8 {
      let entry = FileEntry(
        scope: Scope("s\(index)"), url: SourceURL(recorded: "http://127.0.0.1/"),
        destination: try Destination("d/f", root: scratch.path))
      let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
      try part.put([UInt8(index)], 0..<1)
      let digests = try await part.finish(length: 1)
      batch.append(Publication(part: part, basis: .absent, permissions: nil, fingerprint: digests[.sha256]!))
    }
    let publisher = publisher
    let results = await withTaskGroup(of: (Int, Result<PublishedFile, DLSyncError>).self) { group in
      for (index, item) in batch.enumerated() { group.addTask { (index, publisher.move([item])[0]) } }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let winners = results.filter { if case .success = $0.value { true } else { false } }
    #expect(winners.count == 1)
    #expect(scratch.content("d/f") == [UInt8(winners.keys.first ?? 99)])
    for (index, result) in results where winners[index] == nil { #expect(code(result) == .destinationExists) }
  }

  @Test(arguments: [nil, 0o600, 0o755, 0o444, 0o4755] as [UInt16?]) func modeIsTheOneAsked(mode: UInt16?) async throws {
    let scratch = try Scratch()
    let item = try await publication(scratch, "f", [1], permissions: mode)
    #expect(publisher.flush([item]) == [nil])
    let file = try publisher.move([item])[0].get()
    let expected = try UInt32(mode ?? UInt16(0o666 & ~#require(PartFileTests.umask)))
    #expect(try #require(scratch.status("f")).st_mode & 0o7777 == expected)
    #expect(UInt32(file.identity.mode) == expected)
  }

  @Test(arguments: [1_668_516_326, 0, -86_400] as [Int64]) func timeIsTheOneAsked(seconds: Int64) async throws {
    let scratch = try Scratch()
    let item = try await publication(scratch, "f", [1], modified: Timestamp(seconds: seconds))
    #expect(publisher.flush([item]) == [nil])
    let file = try publisher.move([item])[0].get()
    #expect(file.identity.modified == seconds * 1_000_000_000)
  }

  @Test func partThatLostItsNameIsNotPublished() async throws {
    let scratch = try Scratch()
    let item = try await publication(scratch, "f", [1])
    unlink(scratch(item.part.name))
    try scratch.file(item.part.name, Array("other".utf8))
    #expect(code(publisher.move([item])[0]) == .fileSystem)
    #expect(!scratch.exists("f"))
  }

  /// A folder is looked up once for all its files.
  @Test func eachFileOfAFolderThatWasMovedIsNamed() async throws {
    let scratch = try Scratch()
    let batch = [try await publication(scratch, "d/f", [1]), try await publication(scratch, "d/g", [2])]
    #expect(rename(scratch("d"), scratch("e")) == 0)
    for (result, name) in zip(publisher.move(batch), ["f", "g"]) {
      let error = try #require(throws: DLSyncError.self) { try result.get() }
      #expect(error.message.contains("/d/\(name)\""), "\(error.message)")
    }
  }

  @Test func confirmTakesTheDoubtAwayFromUntouchedFilesOnly() async throws {
    let scratch = try Scratch()
    let batch = [try await publication(scratch, "f", [1]), try await publication(scratch, "g", [2])]
    let files = try publisher.move(batch).map { try $0.get() }
    usleep(20_000)
    try scratch.file("g", Array("user".utf8))
    let again = publisher.confirm(zip(batch, files).map { ($0.part, $1) }, since: 0)
    #expect(try #require(again[0]).isDoubtful == false)
    #expect(again[0]?.identity == files[0].identity)
    #expect(again[1] == nil)
  }

  @Test func lookLeavesNoDoubtOnceTheClockHasTicked() async throws {
    let scratch = try Scratch()
    let before = SystemClock.stamp
    let item = try await publication(scratch, "f", [1])
    let file = try publisher.move([item])[0].get()
    #expect(file.isDoubtful)
    while SystemClock.stamp <= file.identity.changed { usleep(500) }
    #expect(publisher.leavesNoDoubt([(item.part, file)], since: before))
    // A stamp from before the move is not of this clock.
    #expect(!publisher.leavesNoDoubt([(item.part, file)], since: file.identity.changed + 1))
    let again = try #require(publisher.confirm([(item.part, file)], since: before)[0])
    #expect(!again.isDoubtful)
    try scratch.file("f", [2])
    #expect(try again.identity.changed < seen(scratch, "f").changed)
  }

  @Test func fineStampLeavesNoDoubtAtOnce() async throws {
    let scratch = try Scratch()
    let item = try await publication(scratch, "f", [1])
    let before = SystemClock.stamp
    let file = try publisher.move([item])[0].get()
    guard publisher.leavesNoDoubt([(item.part, file)], since: before) else {
      // This kernel stamps with ticks alone and has to wait for one, or the file system is none that is known.
      return
    }
    try scratch.file("f", [2])
    #expect(try file.identity.changed < seen(scratch, "f").changed)
    let seen = file.identity
    let later = FileIdentity(
      device: seen.device, inode: seen.inode, size: seen.size, modified: seen.modified,
      changed: SystemClock.now + 1_000_000_000, mode: seen.mode)
    let future = PublishedFile(fingerprint: file.fingerprint, identity: later, recordedAt: file.recordedAt)
    #expect(!publisher.leavesNoDoubt([(item.part, future)], since: before))
  }
}
