/// A range of a partial file whose bytes are durable, with a digest to check them by before anything builds upon them.
package struct ConfirmedPiece: Hashable, Sendable {
  /// What the digest covers.
  package enum Kind: Int64, Sendable {
    /// SHA-256's chaining value (FIPS 180-4, section 6.2.2) behind the last byte of the range, given the one before its first:
    /// a copy of the running whole-file digest, so it costs nothing. The range begins where another such piece or the file
    /// begins, and ends at a multiple of 64.
    case chained = 1
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
