/// A published file as bytes: its identity, when that was looked at, and the fingerprint.
enum PackedFile {
  private static let digestOffset = 50

  static func append(_ file: PublishedFile, to bytes: inout [UInt8]) {
    let identity = file.identity
    bytes.append(number: identity.device)
    bytes.append(number: identity.inode)
    bytes.append(number: identity.size)
    bytes.append(number: identity.modified)
    bytes.append(number: identity.changed)
    bytes.append(number: file.recordedAt.nanoseconds)
    bytes.append(number: identity.mode)
    PackedDigests.append(file.fingerprint, to: &bytes)
  }

  static func identity(_ bytes: [UInt8], at start: Int) -> FileIdentity {
    FileIdentity(
      device: bytes.number(at: start), inode: bytes.number(at: start + 8), size: bytes.number(at: start + 16),
      modified: bytes.number(at: start + 24), changed: bytes.number(at: start + 32), mode: bytes.number(at: start + 48))
  }

  static func recordedAt(_ bytes: [UInt8], at start: Int) -> Timestamp {
    Timestamp(nanoseconds: bytes.number(at: start + 40))
  }

  static func fingerprintRange(_ bytes: [UInt8], at start: Int) -> Range<Int> {
    start + digestOffset + 1..<end(bytes, at: start)
  }

  static func file(_ bytes: [UInt8], at start: Int) -> PublishedFile? {
    guard let digest = PackedDigests.digests(bytes[start + digestOffset..<end(bytes, at: start)]).first else {
      return nil
    }
    return PublishedFile(
      fingerprint: digest, identity: identity(bytes, at: start), recordedAt: recordedAt(bytes, at: start))
  }

  static func end(_ bytes: [UInt8], at start: Int) -> Int {
    let algorithm = DigestAlgorithm(rawValue: bytes[start + digestOffset])
    return start + digestOffset + 1 + (algorithm?.length ?? 0)
  }
}
