package import DLSyncModel

/// Several digests of one stream of bytes, fed piece by piece. A value: a copy goes its own way, so the digest of a prefix
/// costs no second reading.
package struct RunningDigest: Sendable {
  private var sha256: RunningSHA256?
  private var others: [(algorithm: DigestAlgorithm, digest: EnvelopeDigest)] = []

  /// Starts at the first byte. An algorithm that this machine's library does not offer has no result.
  package init(_ algorithms: some Sequence<DigestAlgorithm>) {
    for algorithm in algorithms {
      if algorithm == .sha256 {
        sha256 = RunningSHA256()
      } else if !others.contains(where: { $0.algorithm == algorithm }), let digest = EnvelopeDigest(algorithm) {
        others.append((algorithm, digest))
      }
    }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    sha256?.update(bytes)
    for index in others.indices { others[index].digest.update(bytes) }
  }

  /// The digests of what came so far; more may follow.
  package var digests: [DigestAlgorithm: Digest] {
    var result: [DigestAlgorithm: Digest] = [:]
    for (algorithm, digest) in others { result[algorithm] = Digest(algorithm, bytes: digest.value) }
    if let sha256 { result[.sha256] = Digest(.sha256, bytes: sha256.value) }
    return result
  }

  /// SHA-256's chaining value behind what came so far, where that is a multiple of 64 bytes and SHA-256 was asked for.
  var chainingValue: Digest? { sha256?.chainingValue.flatMap { Digest(.sha256, bytes: $0) } }

  /// SHA-256 of what came so far, where it was asked for.
  package var fingerprint: Digest? { sha256.flatMap { Digest(.sha256, bytes: $0.value) } }
}

/// Digests of bytes in memory.
package enum ContentHash {
  package static func digests(
    of bytes: UnsafeRawBufferPointer, _ algorithms: some Sequence<DigestAlgorithm>
  ) -> [DigestAlgorithm: Digest] {
    var running = RunningDigest(algorithms)
    running.update(bytes)
    return running.digests
  }
}
