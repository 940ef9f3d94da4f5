import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import DLSyncThreading
import Glibc
import Testing

/// What counts of the bytes that an earlier run left.
@Suite struct PartResumeTests {
  private static let chunk = 4 << 10

  /// A part file that an earlier run left, and what was confirmed of it.
  private struct Left {
    let entry: FileEntry
    let bytes: [UInt8]
    let written: [Range<Int>]
    let pieces: [ConfirmedPiece]
    var name: String { ".dlsync-\(entry.id).part" }
  }

  /// Writes a random part of random bytes in a random order, confirming now and then, as several connections would.
  private func left(_ scratch: Scratch, seed: UInt64, size: Int = 300_000) async throws -> Left {
    var random = SeededGenerator(seed: seed)
    let bytes = random.bytes(size)
    let entry = try scratch.entry("f\(seed)")
    let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    var pieces: [Int64: ConfirmedPiece] = [:]
    var written = random.pieces(of: size, upTo: 25_000)
    if !seed.isMultiple(of: 3) { written.shuffle(using: &random) }
    written.removeLast(Int.random(in: 0..<written.count, using: &random))
    for range in written {
      try part.put(bytes, range)
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      for piece in try await part.confirm() { pieces[piece.range.lower] = piece }
    }
    for piece in try await part.confirm() { pieces[piece.range.lower] = piece }
    part.keep()
    return Left(
      entry: entry, bytes: bytes, written: written, pieces: pieces.values.sorted { $0.range.lower < $1.range.lower })
  }

  /// The whole chunks among written ranges, merged to ranges.
  private func wholeChunks(_ written: [Range<Int>], size: Int) -> [ByteRange] {
    var isThere = [Bool](repeating: false, count: size)
    for range in written { for index in range { isThere[index] = true } }
    let chunks = (0..<size / Self.chunk).filter { chunk in
      isThere[chunk * Self.chunk..<(chunk + 1) * Self.chunk].allSatisfy { $0 }
    }
    return merged(chunks)
  }

  private func merged(_ chunks: [Int]) -> [ByteRange] {
    var ranges: [ByteRange] = []
    for chunk in chunks {
      let lower = Int64(chunk * Self.chunk)
      let start = ranges.last.flatMap { $0.upper == lower ? ranges.removeLast().lower : nil } ?? lower
      ranges.append(ByteRange(start, lower + Int64(Self.chunk)))
    }
    return ranges
  }

  private func holes(_ present: [ByteRange], size: Int) -> [Range<Int>] {
    let ends = [0] + present.flatMap { [Int($0.lower), Int($0.upper)] } + [size]
    return stride(from: 0, to: ends.count, by: 2).map { ends[$0]..<ends[$0 + 1] }.filter { !$0.isEmpty }
  }

  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func everyWholeChunkIsConfirmedAndProvesItself(seed: UInt64) async throws {
    let scratch = try Scratch()
    let left = try await left(scratch, seed: seed)
    var random = SeededGenerator(seed: seed + 100)
    let part = try PartFile.open(for: left.entry, keepExisting: true, digests: [.md5])
    part.keepChunks(of: Int64(Self.chunk))
    let present = try part.accept(left.pieces.shuffled(using: &random))
    #expect(present == wholeChunks(left.written, size: left.bytes.count), "seed \(seed)")
    #expect(part.present == present, "seed \(seed)")
    for hole in holes(present, size: left.bytes.count).shuffled(using: &random) { try part.put(left.bytes, hole) }
    let digests = try await part.finish(length: Int64(left.bytes.count))
    #expect(digests == left.bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.md5, .sha256]) }, "seed \(seed)")
    #expect(scratch.content(part.name) == left.bytes, "seed \(seed)")
  }

  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func damagedChunkAloneIsFetchedAgain(seed: UInt64) async throws {
    let scratch = try Scratch()
    let left = try await left(scratch, seed: seed)
    var random = SeededGenerator(seed: seed + 100)
    guard let victim = left.pieces.randomElement(using: &random) else { return }
    var damaged = scratch.content(left.name) ?? []
    damaged[Int(victim.range.lower) + Self.chunk / 2] ^= 1
    try scratch.file(left.name, damaged)
    let part = try PartFile.open(for: left.entry, keepExisting: true, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    let present = try part.accept(left.pieces)
    let intact = left.pieces.filter { $0 != victim }.map { Int($0.range.lower) / Self.chunk }
    #expect(present == merged(intact), "seed \(seed)")
    for hole in holes(present, size: left.bytes.count) { try part.put(left.bytes, hole) }
    #expect(try await part.finish(length: Int64(left.bytes.count))[.sha256] == fingerprint(left.bytes), "seed \(seed)")
    #expect(scratch.content(part.name) == left.bytes, "seed \(seed)")
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func whatALaterRunConfirmsProvesItselfWithWhatStayed(seed: UInt64) async throws {
    let scratch = try Scratch()
    let left = try await left(scratch, seed: seed)
    var random = SeededGenerator(seed: seed + 100)
    var pieces = Dictionary(uniqueKeysWithValues: left.pieces.map { ($0.range.lower, $0) })
    // Bytes that were written and not confirmed do not count in the next run.
    func counting(_ written: [Range<Int>]) -> [Range<Int>] {
      wholeChunks(written, size: left.bytes.count).map { Int($0.lower)..<Int($0.upper) }
    }
    var written = counting(left.written)
    for _ in 0..<3 {
      let part = try PartFile.open(for: left.entry, keepExisting: true, digests: [])
      part.keepChunks(of: Int64(Self.chunk))
      let present = try part.accept(Array(pieces.values))
      #expect(present == wholeChunks(written, size: left.bytes.count), "seed \(seed)")
      for hole in holes(present, size: left.bytes.count).shuffled(using: &random).prefix(2) {
        let range = hole.lowerBound..<Int.random(in: hole, using: &random) + 1
        try part.put(left.bytes, range)
        written.append(range)
      }
      for piece in try await part.confirm() { pieces[piece.range.lower] = piece }
      part.keep()
      written = counting(written)
    }
  }

  @Test func chunksInOrderCarryTheChainOfTheWholeFile() async throws {
    let scratch = try Scratch()
    let bytes = payload(count: 5 * Self.chunk + 100, seed: 4)
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    try part.put(bytes, 0..<bytes.count)
    let pieces = try await part.confirm()
    #expect(pieces.map(\.kind) == Array(repeating: .chained, count: 5))
    #expect(pieces.map(\.range.lower) == (0..<5).map { Int64($0 * Self.chunk) })
    #expect(try await part.confirm() == [])
  }

  @Test func chunkBehindAHoleIsConfirmedByItselfAndThenChained() async throws {
    let scratch = try Scratch()
    let bytes = payload(count: 2 * Self.chunk, seed: 5)
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    try part.put(bytes, Self.chunk..<2 * Self.chunk)
    let own = try await part.confirm()
    #expect(own.map(\.kind) == [.own])
    #expect(own.first?.digest == fingerprint(Array(bytes[Self.chunk...])))
    #expect(try await part.confirm() == [])
    try part.put(bytes, 0..<Self.chunk)
    #expect(try await part.confirm().map(\.kind) == [.chained, .chained])
  }

  @Test func nothingIsConfirmedOfWhatBeganAnew() async throws {
    let scratch = try Scratch()
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    try part.put(payload(count: 4 * Self.chunk, seed: 6), Self.chunk..<4 * Self.chunk)
    try part.restart()
    #expect(try await part.confirm() == [])
    #expect(part.present == [])
  }

  @Test func filesWithoutChunksConfirmNothing() async throws {
    let scratch = try Scratch()
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    try part.put(payload(count: 3 << 20, seed: 7), 0..<3 << 20)
    #expect(try await part.confirm() == [])
  }

  @Test func flushThatFailedOnceIsNotForgotten() async throws {
    let scratch = try Scratch()
    let bytes = payload(count: 4 * Self.chunk, seed: 8)
    let part = try PartFile.open(for: scratch.entry("f"), keepExisting: false, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    try part.put(bytes, 0..<2 * Self.chunk)
    #expect(try await part.confirm().count == 2)
    try part.put(bytes, 2 * Self.chunk..<3 * Self.chunk)
    part.flush { _ in
      errno = EIO
      return -1
    }
    part.flush()
    #expect(part.hasLostData)
    #expect(try await part.confirm() == [])
    let error = try #require(throws: DLSyncError.self) { try part.put(bytes, 3 * Self.chunk..<bytes.count) }
    #expect(error.code == .fileSystem && error.message.contains("could not flush"), "\(error)")
    await #expect(throws: error) { try await part.finish(length: Int64(bytes.count)) }
    try part.restart()
    #expect(!part.hasLostData)
    try part.put(bytes, 0..<bytes.count)
    #expect(try await part.finish(length: Int64(bytes.count))[.sha256] == fingerprint(bytes))
  }

  @Test func aStopWhileItIsReadAgainLosesNothing() async throws {
    let scratch = try Scratch()
    let left = try await left(scratch, seed: 5)
    let before = scratch.content(left.name)
    let part = try PartFile.open(for: left.entry, keepExisting: true, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    let cancel = CancelToken()
    cancel.cancel()
    let error = try #require(throws: DLSyncError.self) { try part.accept(left.pieces, cancel: cancel) }
    #expect(error.code == .interrupted)
    part.keep()
    #expect(scratch.content(left.name) == before)
    let again = try PartFile.open(for: left.entry, keepExisting: true, digests: [])
    again.keepChunks(of: Int64(Self.chunk))
    #expect(try !again.accept(left.pieces).isEmpty)
  }

  @Test(arguments: [0, 1, 7000, 20_000]) func shortFileProvesOnlyWhatItHolds(length: Int) async throws {
    let scratch = try Scratch()
    let left = try await left(scratch, seed: 3)
    #expect(truncate(scratch(left.name), length) == 0)
    let part = try PartFile.open(for: left.entry, keepExisting: true, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    let whole = left.pieces.filter { $0.range.upper <= Int64(length) }.map { Int($0.range.lower) / Self.chunk }
    #expect(try part.accept(left.pieces) == merged(whole))
  }

  @Test func foreignClaimsProveNothing() async throws {
    let scratch = try Scratch()
    let left = try await left(scratch, seed: 6)
    let part = try PartFile.open(for: left.entry, keepExisting: true, digests: [])
    let digest = fingerprint([1, 2, 3])
    let claims = [
      ConfirmedPiece(range: ByteRange(0, 100), digest: digest, kind: .chained),
      ConfirmedPiece(range: ByteRange(0, 128), digest: digest, kind: .chained),
      ConfirmedPiece(range: ByteRange(7, 70), digest: digest, kind: .own),
      ConfirmedPiece(range: ByteRange(1 << 40, 1 << 41), digest: digest, kind: .own),
      ConfirmedPiece(range: ByteRange(64, 128), digest: digest, kind: .chained),
    ]
    #expect(try part.accept(claims) == [])
  }

  @Test func piecesThatOverlapSpoilNoDigest() async throws {
    let scratch = try Scratch()
    let bytes = payload(count: 3 * Self.chunk, seed: 8)
    let entry = try scratch.entry("f")
    let first = try PartFile.open(for: entry, keepExisting: false, digests: [])
    try first.put(bytes, 0..<bytes.count)
    first.keep()
    let claims = [0, Self.chunk].map { lower in
      let slice = Array(bytes[lower..<lower + 2 * Self.chunk])
      return ConfirmedPiece(
        range: ByteRange(Int64(lower), Int64(lower + slice.count)), digest: fingerprint(slice), kind: .own)
    }
    let part = try PartFile.open(for: entry, keepExisting: true, digests: [])
    part.keepChunks(of: Int64(Self.chunk))
    #expect(try part.accept(claims) == [ByteRange(0, Int64(bytes.count))])
    #expect(try await part.finish(length: Int64(bytes.count))[.sha256] == fingerprint(bytes))
  }

  @Test func leftBytesDoNotCountUnproven() async throws {
    let scratch = try Scratch()
    let left = try await left(scratch, seed: 9)
    let part = try PartFile.open(for: left.entry, keepExisting: true, digests: [])
    #expect(part.length == 0)
    let new = Array(left.bytes.reversed())
    try part.put(new, 0..<1000)
    #expect(try await part.finish(length: 1000)[.sha256] == fingerprint(Array(new[..<1000])))
    #expect(scratch.content(part.name)?.count == 1000)
  }
}
