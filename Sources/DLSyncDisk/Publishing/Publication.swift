package import DLSyncModel

/// A part file that is complete and proven, and what is to become of it.
package struct Publication: Sendable {
  package let part: PartFile
  /// What may be at the destination.
  package let basis: DestinationBasis
  /// Mode bits, or nil for 0666 less the umask.
  package let permissions: UInt16?
  /// SHA-256 of the whole.
  package let fingerprint: Digest
  /// The modification time that the file gets, or nil for the moment of its last byte.
  package let modified: Timestamp?

  package init(
    part: PartFile, basis: DestinationBasis, permissions: UInt16?, fingerprint: Digest, modified: Timestamp? = nil
  ) {
    self.part = part
    self.basis = basis
    self.permissions = permissions
    self.fingerprint = fingerprint
    self.modified = modified
  }
}
