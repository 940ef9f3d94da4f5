import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import Testing

@Suite(.enabled(if: SmallFileSystem.isAllowed, "mounting is not allowed here")) struct FullDiskTests {
  @Test func fullDiskNamesPathAndReasonAndIsNoReasonToTryAgain() async throws {
    let scratch = try Scratch()
    try scratch.folder("m")
    let small = try #require(SmallFileSystem(scratch("m"), size: "1m"))
    let entry = try scratch.entry("m/f")
    let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
    let bytes = payload(count: 4 << 20, seed: 5)
    let error = try #require(throws: DLSyncError.self) { try part.put(bytes, 0..<bytes.count) }
    #expect(error.code == .diskFull)
    #expect(error.message.contains("no space left on the file system of \"\(scratch("m/f"))\""), "\(error)")
    #expect(error.details.underlying?.contains("No space left") == true)
    #expect(!error.isRetryable)
    #expect(!scratch.exists("m/f"))
    #expect(small.remount("size=16m"))
    try part.restart()
    try part.put(bytes, 0..<bytes.count)
    #expect(try await part.finish(length: Int64(bytes.count))[.sha256] == fingerprint(bytes))
  }

  @Test func freeSpaceIsThatOfTheNearestFolder() throws {
    let scratch = try Scratch()
    try scratch.folder("m")
    let small = try #require(SmallFileSystem(scratch("m"), size: "1m"))
    let entry = try scratch.entry("m/x/y/f")
    #expect(freeSpace(for: entry.destination) == ByteCount(1 << 20))
    let survey = Surveyor().survey([entry, try scratch.entry("f")])
    #expect(survey.freeSpace[survey.devices[0]] == ByteCount(1 << 20))
    #expect(survey.devices[0] != survey.devices[1])
    try scratch.file("m/half", [UInt8](repeating: 1, count: 1 << 19))
    #expect(freeSpace(for: entry.destination) == ByteCount(1 << 19))
    #expect(small.remount("ro"))
  }

  @Test func exchangeAndNoReplaceWorkOnMemoryFileSystems() async throws {
    let scratch = try Scratch()
    try scratch.folder("m")
    let small = try #require(SmallFileSystem(scratch("m"), size: "1m"))
    let entry = try scratch.entry("m/f")
    for round: UInt8 in 0..<3 {
      let observation = Surveyor().survey([entry]).observations[0]
      let basis: DestinationBasis = if case .file(let identity) = observation { .file(identity) } else { .absent }
      let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
      try part.put([round], 0..<1)
      let digests = try await part.finish(length: 1)
      let item = Publication(part: part, basis: basis, permissions: nil, fingerprint: digests[.sha256]!)
      #expect(Publisher().flush([item]) == [nil])
      _ = try Publisher().move([item])[0].get()
      #expect(scratch.content("m/f") == [round])
    }
    #expect(scratch.names("m") == ["f"])
    #expect(small.remount("ro"))
  }
}
