import DLSyncModel
import DLSyncTestSupport
import Glibc
import Testing

@testable import DLSyncDisk

/// Short files are on the disk when they are published, and not before.
@Suite struct HeldBytesTests {
  private let room = HeldBytes()
  private let publisher = Publisher()

  private func open(_ entry: FileEntry) throws -> PartFile {
    try PartFile.open(for: entry, keepExisting: false, digests: [], room: room)
  }

  private func publication(_ part: PartFile, length: Int) async throws -> Publication {
    let digests = try await part.finish(length: Int64(length))
    return Publication(part: part, basis: .absent, permissions: nil, fingerprint: digests[.sha256]!)
  }

  @Test(arguments: [0, 1, 4096, HeldBytes.most]) func aShortFileIsMadeWhenItIsPublished(size: Int) async throws {
    let scratch = try Scratch()
    let bytes = payload(count: size, seed: 1)
    let part = try open(scratch.entry("d/f"))
    for start in stride(from: 0, to: size, by: 1000) { try part.put(bytes, start..<min(size, start + 1000)) }
    let item = try await publication(part, length: size)
    #expect(item.fingerprint == fingerprint(bytes))
    #expect(scratch.names("d") == [])
    #expect(publisher.flush([item]) == [nil])
    #expect(scratch.names("d") == [part.name] && scratch.content("d/" + part.name) == bytes)
    #expect(try publisher.move([item])[0].get().identity.size == Int64(size))
    #expect(scratch.names("d") == ["f"] && scratch.content("d/f") == bytes)
  }

  @Test(arguments: [[0..<50_000, 50_000..<100_000], [10..<20, 0..<10], [0..<10, 5..<15]])
  func whatIsTooLongOrOutOfOrderGoesIntoAFile(pieces: [Range<Int>]) async throws {
    let scratch = try Scratch()
    let size = pieces.map(\.upperBound).max()!
    let bytes = payload(count: size, seed: 2)
    let part = try open(scratch.entry("f"))
    for piece in pieces { try part.put(bytes, piece) }
    #expect(scratch.names() == [part.name])
    #expect(try await part.finish(length: Int64(size))[.sha256] == fingerprint(bytes))
    #expect(scratch.content(part.name) == bytes)
  }

  @Test func anAttemptThatBeginsAnewHoldsWhatComesThen() async throws {
    let scratch = try Scratch()
    let part = try open(scratch.entry("f"))
    try part.put(payload(count: 3000, seed: 3), 0..<3000)
    try part.restart()
    let bytes = payload(count: 2000, seed: 4)
    try part.put(bytes, 0..<2000)
    let item = try await publication(part, length: 1500)
    #expect(publisher.flush([item]) == [nil] && scratch.content(part.name) == Array(bytes[..<1500]))
  }

  @Test func allTogetherTheyAreBounded() throws {
    let scratch = try Scratch()
    let bytes = payload(count: HeldBytes.most, seed: 5)
    func begin(_ numbers: Range<Int>) throws -> [PartFile] {
      try numbers.map { number in
        let part = try open(scratch.entry("\(number)"))
        try part.put(bytes, 0..<bytes.count)
        return part
      }
    }
    var parts = try begin(0..<70)
    #expect(scratch.names().count == 6, "4 MiB are held, the rest has files")
    // However they end, there is room again.
    parts[0..<20].forEach { $0.discard() }
    parts[20..<40].forEach { $0.keep() }
    for part in parts[40..<50] { try part.makeFile() }
    parts.removeAll()
    #expect(scratch.names().count == 16)
    parts = try begin(100..<164)
    #expect(scratch.names().count == 16)
  }

  @Test func discardAndKeepLeaveNothingOfWhatIsHeld() throws {
    let scratch = try Scratch()
    for end in [PartFile.discard, PartFile.keep] {
      let part = try open(scratch.entry("f"))
      try part.put([1, 2, 3], 0..<3)
      end(part)()
      #expect(scratch.names() == [])
      #expect(throws: DLSyncError.self) { try part.put([1, 2, 3, 4], 3..<4) }
    }
  }

  @Test(arguments: [0, 3]) func whatAnEarlierRunLeftIsEmptied(size: Int) async throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("f")
    let old = try PartFile.open(for: entry, keepExisting: false, digests: [])
    try old.put([9, 9, 9, 9, 9], 0..<5)
    old.keep()
    let part = try open(entry)
    try part.put([1, 2, 3], 0..<size)
    let item = try await publication(part, length: size)
    #expect(publisher.flush([item]) == [nil])
    #expect(scratch.content(part.name) == Array([1, 2, 3][..<size]) && scratch.names() == [part.name])
  }

  @Test func whatAnEarlierRunLeftGoesWithWhatIsHeld() throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("f")
    let old = try PartFile.open(for: entry, keepExisting: false, digests: [])
    try old.put([9, 9], 0..<2)
    // As long as somebody has it, it is nobody else's to remove.
    try open(entry).discard()
    #expect(scratch.content(old.name) == [9, 9])
    old.keep()
    try open(entry).discard()
    #expect(scratch.names() == [])
  }

  /// Who tells of a file that was replaced and stays asks when all is closed.
  @Test func aNameOutlivesItsFile() throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("f")
    try scratch.folder(PartClaim.name(entry.id))
    let part = try open(entry)
    try part.makeFile()
    part.keep()
    #expect(part.name == PartClaim.ownName(entry.id))
  }

  @Test func namesThatAreTakenAreToldWhenTheFileIsMade() async throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("f")
    for name in [PartClaim.name(entry.id), PartClaim.ownName(entry.id)] { try scratch.folder(name) }
    let part = try open(entry)
    try part.put([1], 0..<1)
    let error = try #require(publisher.flush([await publication(part, length: 1)])[0])
    #expect(error.message.contains("both names") && error.hint?.contains(PartClaim.name(entry.id)) == true)
  }

  @Test func aFolderThatIsGoneByThenIsTold() async throws {
    let scratch = try Scratch()
    let part = try open(scratch.entry("d/f"))
    try part.put([1], 0..<1)
    rmdir(scratch("d"))
    let error = try #require(publisher.flush([await publication(part, length: 1)])[0])
    #expect(error.message.contains("its folder was moved, replaced or removed"))
  }

  @Test(.enabled(if: geteuid() != 0)) func aFolderThatTakesNoFilesIsToldBeforeAnythingComes() throws {
    let scratch = try Scratch()
    try scratch.folder("d")
    chmod(scratch("d"), 0o555)
    #expect(throws: DLSyncError.self) { try open(scratch.entry("d/f")) }
  }
}
