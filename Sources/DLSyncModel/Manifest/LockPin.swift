/// What a lock file says of a file that its manifest does not, and where that stands.
package struct LockPin: Hashable, Sendable {
  /// The lock file as it is named to people.
  package let source: String
  /// The manifest that it belongs to.
  package let manifest: String
  /// Whether the length is the lock file's.
  package let pinsSize: Bool
  /// Whether the SHA-256 is.
  package let pinsDigest: Bool

  package init(source: String, manifest: String, pinsSize: Bool, pinsDigest: Bool) {
    self.source = source
    self.manifest = manifest
    self.pinsSize = pinsSize
    self.pinsDigest = pinsDigest
  }
}

extension LockCoverage {
  /// What the lock file alone says of a file; nil where that is nothing.
  package func pin(of entry: FileEntry, manifest: String) -> LockPin? {
    let pinsSize = entry.size != nil && !declaredSizes.contains(entry.id)
    let pinsDigest = entry.checksums.contains { $0.algorithm == .sha256 } && !declaredDigests.contains(entry.id)
    guard pinsSize || pinsDigest else { return nil }
    return LockPin(source: source, manifest: manifest, pinsSize: pinsSize, pinsDigest: pinsDigest)
  }
}
