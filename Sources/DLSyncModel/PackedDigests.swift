/// Digests one behind the other, each as the number of its algorithm and its bytes: without an object each.
package enum PackedDigests {
  /// How many bytes these digests take.
  static func count(_ digests: [Digest]) -> Int { digests.reduce(0) { $0 + 1 + $1.bytes.count } }

  /// Adds digests to the end.
  static func append(_ digests: [Digest], to bytes: inout [UInt8]) {
    for digest in digests { append(digest, to: &bytes) }
  }

  static func append(_ digest: Digest, to bytes: inout [UInt8]) {
    bytes.append(digest.algorithm.rawValue)
    bytes += digest.bytes
  }

  /// The same from the parts of a digest.
  package static func append(
    _ algorithm: DigestAlgorithm, _ digest: Slice<UnsafeRawBufferPointer>, to bytes: inout [UInt8]
  ) {
    bytes.append(algorithm.rawValue)
    bytes += digest
  }

  /// The digests of what `append` wrote.
  static func digests(_ bytes: ArraySlice<UInt8>) -> [Digest] {
    var digests: [Digest] = []
    forEach(bytes) { algorithm, bytes in
      if let digest = Digest(algorithm, bytes: Array(bytes)) { digests.append(digest) }
    }
    return digests
  }

  /// Hands each digest on.
  static func forEach(_ bytes: ArraySlice<UInt8>, _ body: (DigestAlgorithm, ArraySlice<UInt8>) -> Void) {
    var rest = bytes
    while let number = rest.popFirst(), let algorithm = DigestAlgorithm(rawValue: number) {
      body(algorithm, rest.prefix(algorithm.length))
      rest = rest.dropFirst(algorithm.length)
    }
  }
}
