/// Digests one behind the other, each as the number of its algorithm and its bytes: without an object each, and just as the
/// record has them.
package enum PackedDigests {
  /// Adds digests to the end.
  package static func append(_ digests: [Digest], to bytes: inout [UInt8]) {
    for digest in digests {
      bytes.append(digest.algorithm.number)
      bytes += digest.bytes
    }
  }

  /// The digests of what `append` wrote.
  package static func digests(_ bytes: ArraySlice<UInt8>) -> [Digest] {
    var digests: [Digest] = []
    forEach(bytes) { algorithm, bytes in
      if let digest = Digest(algorithm, bytes: Array(bytes)) { digests.append(digest) }
    }
    return digests
  }

  /// Hands each digest on.
  static func forEach(_ bytes: ArraySlice<UInt8>, _ body: (DigestAlgorithm, ArraySlice<UInt8>) -> Void) {
    var rest = bytes
    while let number = rest.popFirst(), let algorithm = DigestAlgorithm(number: number) {
      body(algorithm, rest.prefix(algorithm.length))
      rest = rest.dropFirst(algorithm.length)
    }
  }

  /// Hands the number of each digest's algorithm and its bytes on.
  package static func forEach(
    _ bytes: UnsafeRawBufferPointer, _ body: (_ algorithm: UInt8, UnsafeRawBufferPointer) -> Void
  ) {
    var start = 0
    while let end = end(ofDigestAt: start, bytes) {
      body(bytes[start], UnsafeRawBufferPointer(rebasing: bytes[start + 1..<end]))
      start = end
    }
  }

  /// What can be read of bytes that may hold anything: an algorithm that this version does not know ends it.
  package static func readable(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = 0
    while let next = self.end(ofDigestAt: end, bytes) { end = next }
    return UnsafeRawBufferPointer(rebasing: bytes[..<end])
  }

  /// The first digest of such bytes with its algorithm; nothing where it cannot be read.
  package static func first(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[..<(end(ofDigestAt: 0, bytes) ?? 0)])
  }

  private static func end(ofDigestAt start: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
    guard start < bytes.count, let algorithm = DigestAlgorithm(number: bytes[start]) else { return nil }
    let end = start + 1 + algorithm.length
    return end <= bytes.count ? end : nil
  }
}

extension DigestAlgorithm {
  /// The number that it has in bytes: part of the record's schema, so it never changes its meaning. Zero is none's.
  package var number: UInt8 {
    switch self {
    case .md5: 1
    case .sha1: 2
    case .sha224: 3
    case .sha256: 4
    case .sha384: 5
    case .sha512: 6
    case .blake2b512: 7
    }
  }

  /// The algorithm of a number; nil for one that this version does not know.
  package init?(number: UInt8) {
    guard number > 0, Int(number) <= Self.byNumber.count else { return nil }
    self = Self.byNumber[Int(number) - 1]
  }

  private static let byNumber: [DigestAlgorithm] = [.md5, .sha1, .sha224, .sha256, .sha384, .sha512, .blake2b512]
}
