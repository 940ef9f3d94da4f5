/// A published file whose fingerprint lies where it was read from.
package struct RecordedFile {
  let identity: FileIdentity
  let recordedAt: Timestamp
  /// One digest, as `PackedDigests` has it.
  let fingerprint: UnsafeRawBufferPointer

  package init(identity: FileIdentity, recordedAt: Timestamp, fingerprint: UnsafeRawBufferPointer) {
    self.identity = identity
    self.recordedAt = recordedAt
    self.fingerprint = fingerprint
  }
}

extension PublishedFile {
  /// Lends the file with its fingerprint as bytes.
  func withRecorded<Result>(_ body: (RecordedFile) -> Result) -> Result {
    var digest: [UInt8] = []
    PackedDigests.append([fingerprint], to: &digest)
    return digest.withUnsafeBytes { body(RecordedFile(identity: identity, recordedAt: recordedAt, fingerprint: $0)) }
  }
}

extension PublishedFile? {
  /// The same for one that may be missing.
  package func withRecorded<Result>(_ body: (RecordedFile?) -> Result) -> Result {
    guard let file = self else { return body(nil) }
    return file.withRecorded(body)
  }
}
