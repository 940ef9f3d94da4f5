import DLSyncDisk
import DLSyncModel
import Glibc
import Testing

@Suite struct PartResumeTests {
  private static let size = 3 << 20

  /// A part file that an earlier run left, with confirmed prefixes of it.
  private func left(_ scratch: Scratch) async throws -> (entry: FileEntry, bytes: [UInt8], claims: [PrefixDigest]) {
    let bytes = Seeded.once(4, Self.size)
    let entry = try scratch.entry("f")
    let part = try PartFile.open(for: entry, keepExisting: false, digests: [])
    var claims: [PrefixDigest] = []
    for start in stride(from: 0, to: Self.size, by: 1 << 20) {
      try part.put(bytes, start..<start + 1 << 20)
      if let claim = try part.confirm() { claims.append(claim) }
    }
    part.keep()
    return (entry, bytes, claims)
  }

  @Test func confirmedPrefixesAreDigestsOfPrefixes() async throws {
    let scratch = try Scratch()
    let (_, bytes, claims) = try await left(scratch)
    #expect(claims.first?.length == 1 << 20, "the first MiB is hashed where it is written")
    for claim in claims { #expect(claim.digest == fingerprint(Array(bytes[..<Int(claim.length)]))) }
  }

  @Test func provenPrefixIsKeptAndTheDigestGoesOn() async throws {
    let scratch = try Scratch()
    let (entry, bytes, _) = try await left(scratch)
    let lengths = [70_000, 1 << 20, 2 << 20]
    let part = try PartFile.open(for: entry, keepExisting: true, digests: [.md5])
    let accepted = try await part.accept(lengths.map { Self.claim(bytes, $0) })
    #expect((accepted, part.length) == (2 << 20, 2 << 20))
    try part.put(bytes, 2 << 20..<Self.size)
    let digests = try await part.finish(length: Int64(Self.size))
    #expect(digests == bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.md5, .sha256]) })
  }

  @Test(arguments: [(100, Int64(0)), (500_000, 70_000), (2_500_000, 2 << 20)])
  func damageLosesWhatLiesBehindIt(at offset: Int, kept: Int64) async throws {
    let scratch = try Scratch()
    let (entry, bytes, _) = try await left(scratch)
    var damaged = bytes
    damaged[offset] ^= 1
    try scratch.file(".dlsync-\(entry.id).part", damaged)
    let part = try PartFile.open(for: entry, keepExisting: true, digests: [])
    let claims = [70_000, 1 << 20, 2 << 20, Self.size].map { Self.claim(bytes, $0) }
    #expect(try await part.accept(claims.shuffled()) == kept)
    try part.put(bytes, Int(kept)..<Self.size)
    #expect(try await part.finish(length: Int64(Self.size))[.sha256] == fingerprint(bytes))
    #expect(scratch.content(part.name) == bytes)
  }

  @Test func shortFileProvesOnlyWhatItHolds() async throws {
    let scratch = try Scratch()
    let (entry, bytes, _) = try await left(scratch)
    #expect(truncate(scratch(".dlsync-\(entry.id).part"), 100_000) == 0)
    let part = try PartFile.open(for: entry, keepExisting: true, digests: [])
    #expect(try await part.accept([70_000, 1 << 20].map { Self.claim(bytes, $0) }) == 70_000)
  }

  @Test func leftBytesDoNotCountUnproven() async throws {
    let scratch = try Scratch()
    let (entry, bytes, _) = try await left(scratch)
    let part = try PartFile.open(for: entry, keepExisting: true, digests: [])
    #expect(part.length == 0)
    let new = Array(bytes.reversed())
    try part.put(new, 0..<1000)
    #expect(try await part.finish(length: 1000)[.sha256] == fingerprint(Array(new[..<1000])))
    #expect(scratch.content(part.name)?.count == 1000)
  }

  private static func claim(_ bytes: [UInt8], _ length: Int) -> PrefixDigest {
    PrefixDigest(length: Int64(length), digest: fingerprint(Array(bytes[..<length])))
  }
}
