package import DLSyncModel

/// The running digests of a part file, guarded by a lock of their own: hashing does not hold up who writes.
struct PartHashing: Sendable {
  private let algorithms: [DigestAlgorithm]
  private var running: RunningDigest
  private var length: Int64 = 0
  private var epoch = 0

  init(_ algorithms: [DigestAlgorithm]) {
    self.algorithms = algorithms
    running = Self.fresh(algorithms)
  }

  /// Digests before the first byte.
  static func fresh(_ algorithms: [DigestAlgorithm]) -> RunningDigest { RunningDigest(algorithms) }

  /// Feeds bytes. A newer epoch begins with the first byte of the file; what belongs to an older one is dropped.
  mutating func update(_ bytes: UnsafeRawBufferPointer, epoch: Int) {
    follow(epoch)
    guard epoch == self.epoch else { return }
    running.update(bytes)
    length += Int64(bytes.count)
  }

  mutating func digests(epoch: Int) -> [DigestAlgorithm: Digest] {
    follow(epoch)
    return running.digests
  }

  mutating func prefix(epoch: Int) -> PrefixDigest? {
    follow(epoch)
    guard length > 0, let digest = running.fingerprint else { return nil }
    return PrefixDigest(length: length, digest: digest)
  }

  mutating func replace(_ state: PrefixState, epoch: Int) {
    running = state.running
    length = state.length
    self.epoch = epoch
  }

  private mutating func follow(_ epoch: Int) {
    guard epoch > self.epoch else { return }
    self.epoch = epoch
    running = Self.fresh(algorithms)
    length = 0
  }
}

/// A claim about the beginning of a file: its first `length` bytes have this SHA-256.
package struct PrefixDigest: Hashable, Sendable {
  package let length: Int64
  package let digest: Digest

  package init(length: Int64, digest: Digest) {
    self.length = length
    self.digest = digest
  }
}
