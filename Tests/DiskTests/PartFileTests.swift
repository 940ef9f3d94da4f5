import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import Glibc
import Testing

@Suite struct PartFileTests {
  static let mebibyte = 1 << 20

  @Test(arguments: [0, 1, 4096, mebibyte - 1, mebibyte, mebibyte + 1, 5 * mebibyte + 3])
  func digestsAreThoseOfTheBytesInOrder(size: Int) async throws {
    let scratch = try Scratch()
    let bytes = payload(count: size, seed: UInt64(size))
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [.md5, .sha512])
    for start in stride(from: 0, to: size, by: 16 << 10) {
      try part.put(bytes, start..<min(size, start + 16 << 10))
    }
    let digests = try await part.finish(length: Int64(size))
    let expected = bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.md5, .sha256, .sha512]) }
    #expect(digests == expected)
    #expect(scratch.content(part.name) == bytes)
    #expect(scratch.names() == [part.name])
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func digestsDoNotDependOnTheOrderOfWriting(seed: UInt64) async throws {
    let scratch = try Scratch()
    var random = SeededGenerator(seed: seed)
    let bytes = random.bytes(Int.random(in: 1...(4 << 20), using: &random))
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    var pieces = random.pieces(of: bytes.count, upTo: 600_000)
    // Half of the seeds: a few streams side by side; the others: any order.
    if seed.isMultiple(of: 2) { pieces.shuffle(using: &random) } else { pieces = Self.interleaved(pieces, streams: 3) }
    for piece in pieces { try part.put(bytes, piece) }
    let digests = try await part.finish(length: Int64(bytes.count))
    #expect(digests[.sha256] == fingerprint(bytes), "seed \(seed)")
    #expect(scratch.content(part.name) == bytes, "seed \(seed)")
  }

  private static func interleaved(_ pieces: [Range<Int>], streams: Int) -> [Range<Int>] {
    let length = (pieces.count + streams - 1) / streams
    return (0..<length).flatMap { step in
      (0..<streams).compactMap { stream in
        let index = stream * length + step
        return index < min(pieces.count, (stream + 1) * length) ? pieces[index] : nil
      }
    }
  }

  @Test(arguments: [100_000, 3 << 20]) func bytesThatAreWrittenAgainCountAsTheyAreNow(size: Int) async throws {
    let scratch = try Scratch()
    let old = payload(count: size, seed: 1)
    let new = payload(count: size, seed: 2)
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    try part.put(old, 0..<size)
    try part.put(new, 0..<size / 2)
    let digests = try await part.finish(length: Int64(size))
    #expect(digests[.sha256] == fingerprint(Array(new[..<(size / 2)] + old[(size / 2)...])))
  }

  @Test(arguments: [1000, 3 << 20]) func restartForgetsTheFirstAttempt(size: Int) async throws {
    let scratch = try Scratch()
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    try part.put(payload(count: size, seed: 1), 0..<size)
    try part.restart()
    #expect(part.length == 0)
    let bytes = payload(count: size / 2, seed: 2)
    try part.put(bytes, 0..<bytes.count)
    #expect(try await part.finish(length: Int64(bytes.count))[.sha256] == fingerprint(bytes))
    #expect(scratch.content(part.name) == bytes)
  }

  @Test(arguments: [1000, 3 << 20]) func finishCutsWhatIsTooMuch(size: Int) async throws {
    let scratch = try Scratch()
    let bytes = payload(count: size, seed: 3)
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    try part.put(bytes, 0..<size)
    #expect(try await part.finish(length: Int64(size - 7))[.sha256] == fingerprint(Array(bytes.dropLast(7))))
    #expect(scratch.content(part.name) == Array(bytes.dropLast(7)))
  }

  @Test func missingBytesAreNoFile() async throws {
    let scratch = try Scratch()
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    try part.put([1, 2, 3, 4], 0..<2)
    try part.put([1, 2, 3, 4], 3..<4)
    await #expect(throws: DLSyncError.self) { try await part.finish(length: 4) }
    try part.put([1, 2, 3, 4], 2..<3)
    #expect(try await part.finish(length: 4)[.sha256] == fingerprint([1, 2, 3, 4]))
  }

  @Test func discardLeavesNothingAndKeepLeavesTheBytes() throws {
    let scratch = try Scratch()
    let entry = try scratch.entry("d/f")
    let first = try PartFile.open(for: entry, keepExisting: false, digests: [])
    #expect(first.name == ".dlsync-\(entry.id).part")
    try first.put([1, 2, 3], 0..<3)
    first.keep()
    #expect(scratch.content("d/" + first.name) == [1, 2, 3])
    let second = try PartFile.open(for: entry, keepExisting: true, digests: [])
    #expect((second.name, second.existingLength, second.length) == (first.name, 3, 0))
    second.keep()
    let third = try PartFile.open(for: entry, keepExisting: false, digests: [])
    #expect((third.name, third.existingLength) == (first.name, 0))
    #expect(scratch.content("d/" + first.name) == [])
    third.discard()
    #expect(scratch.names("d") == [])
    #expect(throws: DLSyncError.self) { try third.put([1], 0..<1) }
  }

  @Test func discardRemovesNoFileOfSomebodyElse() throws {
    let scratch = try Scratch()
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    #expect(unlink(scratch(part.name)) == 0)
    try scratch.file(part.name)
    part.discard()
    #expect(scratch.content(part.name) == Array("mine".utf8))
  }

  @Test func finishEndsWhenThePartIsGivenUp() async throws {
    let scratch = try Scratch()
    let size = 64 << 20
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    try part.put([UInt8](repeating: 1, count: size), 0..<size)
    async let digests = part.finish(length: Int64(size))
    part.discard()
    // It may have been through by then.
    do { #expect(try await digests[.sha256] != nil) } catch {
      #expect([.canceled, .fileSystem].contains((error as? DLSyncError)?.code), "\(error)")
    }
    #expect(scratch.names() == [])
  }

  @Test(arguments: [(0o022, 0o644), (0, 0o600)]) func newFilesHaveTheModeThatWasAskedFor(mask: Int, mode: Int) throws {
    let scratch = try Scratch()
    let part = try PartFile.open(
      for: scratch.entry("d/f", permissions: mask == 0 ? 0o600 : nil), keepExisting: false, digests: [])
    // The mask of the test process is 022 on every usual machine; the law is about 0666 less whatever it is.
    let umask = try #require(Self.umask)
    let expected = mask == 0 ? UInt32(mode) : 0o666 & ~umask
    #expect(try #require(scratch.status("d/" + part.name)).st_mode & 0o7777 == expected)
    #expect(try #require(scratch.status("d")).st_mode & 0o7777 == 0o777 & ~umask)
  }

  static var umask: UInt32? {
    guard let bytes = try? FileText.read("/proc/self/status", limit: 1 << 16) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Umask:") }
    return line.flatMap { UInt32($0.dropFirst(7), radix: 8) }
  }
}

extension PartFile {
  func put(_ bytes: [UInt8], _ range: Range<Int>) throws(DLSyncError) {
    let piece = Array(bytes[range])
    var failure: DLSyncError?
    piece.withUnsafeBytes { bytes in
      do throws(DLSyncError) { try write(bytes, at: Int64(range.lowerBound)) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
