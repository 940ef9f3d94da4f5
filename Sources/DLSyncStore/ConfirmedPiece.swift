package import DLSyncModel

/// A range of a partial file whose bytes are durable, with a digest to check them by before anything builds upon them.
package struct ConfirmedPiece: Hashable, Sendable {
  /// What the digest covers.
  package enum Kind: Int64, Sendable {
    /// All bytes before the end of the range: they arrived in order, and the running digest was copied.
    case prefix = 1
    /// The bytes of the range alone.
    case own = 2
  }

  package let range: ByteRange
  package let digest: Digest
  package let kind: Kind

  package init(range: ByteRange, digest: Digest, kind: Kind) {
    self.range = range
    self.digest = digest
    self.kind = kind
  }
}
