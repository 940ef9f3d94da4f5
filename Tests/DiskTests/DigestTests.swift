import DLSyncModel
import DLSyncTestSupport
import Testing

@testable import DLSyncDisk

@Suite struct DigestTests {
  /// FIPS 180-4 and RFC 1321, RFC 7693: the digests of "abc".
  static let vectors: [(DigestAlgorithm, String)] = [
    (.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      .blake2b512,
      "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
    ),
  ]

  @Test(arguments: vectors) func knownBytesHaveTheirKnownDigest(algorithm: DigestAlgorithm, hex: String) {
    Array("abc".utf8).withUnsafeBytes { bytes in
      #expect(ContentHash.digests(of: bytes, [algorithm]) == [algorithm: Digest(algorithm, hex: hex)!])
    }
  }

  @Test func nothingHasTheDigestOfNothing() {
    let running = RunningDigest([.sha256])
    #expect(running.fingerprint?.hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(RunningDigest([.md5]).fingerprint == nil, "SHA-256 was not asked for")
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func piecesDoNotMatter(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = random.bytes(30_000)
    let whole = bytes.withUnsafeBytes { ContentHash.digests(of: $0, DigestAlgorithm.allCases) }
    var running = RunningDigest(DigestAlgorithm.allCases)
    for piece in random.pieces(of: bytes.count, upTo: 2000) {
      bytes.withUnsafeBytes { running.update(UnsafeRawBufferPointer(rebasing: $0[piece])) }
    }
    #expect(running.digests == whole, "seed \(seed)")
    #expect(whole.count == DigestAlgorithm.allCases.count)
  }

  @Test func digestOfAPrefixLeavesTheRunningOneAlone() {
    let bytes = Array("prefix and rest".utf8)
    var running = RunningDigest(DigestAlgorithm.allCases)
    bytes.withUnsafeBytes { running.update(UnsafeRawBufferPointer(rebasing: $0[..<6])) }
    let copy = running
    let prefix = running.digests
    bytes.withUnsafeBytes { running.update(UnsafeRawBufferPointer(rebasing: $0[6...])) }
    #expect(copy.digests == prefix)
    bytes.withUnsafeBytes { bytes in
      let first = UnsafeRawBufferPointer(rebasing: bytes[..<6])
      #expect(prefix == ContentHash.digests(of: first, DigestAlgorithm.allCases))
      #expect(running.digests == ContentHash.digests(of: bytes, DigestAlgorithm.allCases))
    }
  }

  @Test func chainingValueGoesOnWhereItWasLeft() throws {
    let bytes = payload(count: 1000, seed: 7)
    var first = RunningSHA256()
    bytes.withUnsafeBytes { first.update(UnsafeRawBufferPointer(rebasing: $0[..<320])) }
    let value = try #require(first.chainingValue)
    var second = try #require(RunningSHA256(chainingValue: value, length: 320))
    bytes.withUnsafeBytes { second.update(UnsafeRawBufferPointer(rebasing: $0[320...])) }
    let whole = bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.sha256]) }
    #expect(Digest(.sha256, bytes: second.value) == whole[.sha256])
    #expect(RunningSHA256(chainingValue: value.dropLast(), length: 320) == nil)
    #expect(RunningSHA256(chainingValue: value, length: 321) == nil)
    bytes.withUnsafeBytes { first.update(UnsafeRawBufferPointer(rebasing: $0[..<1])) }
    #expect(first.chainingValue == nil)
  }
}

/// SHA-256 of bytes.
func fingerprint(_ bytes: [UInt8]) -> Digest {
  bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.sha256])[.sha256]! }
}
