/// A published file as bytes: its identity, when that was looked at, and the fingerprint, or a zero where that is the first
/// checksum of its task.
enum PackedFile {
  private static let digestOffset = 50

  /// How many bytes a file takes with a fingerprint of so many; none stands for the first checksum.
  static func count(fingerprint: Int) -> Int { digestOffset + max(1, fingerprint) }

  static func write(_ file: RecordedFile, fingerprint: UnsafeRawBufferPointer, to cursor: inout ByteCursor) {
    cursor.put(file.identity.device)
    cursor.put(file.identity.inode)
    cursor.put(file.identity.size)
    cursor.put(file.identity.modified)
    cursor.put(file.identity.changed)
    cursor.put(file.recordedAt.nanoseconds)
    cursor.put(file.identity.mode)
    if fingerprint.isEmpty { cursor.put(0 as UInt8) } else { cursor.put(fingerprint) }
  }

  static func identity(_ bytes: [UInt8], at start: Int) -> FileIdentity {
    FileIdentity(
      device: bytes.number(at: start), inode: bytes.number(at: start + 8), size: bytes.number(at: start + 16),
      modified: bytes.number(at: start + 24), changed: bytes.number(at: start + 32), mode: bytes.number(at: start + 48))
  }

  static func recordedAt(_ bytes: [UInt8], at start: Int) -> Timestamp {
    Timestamp(nanoseconds: bytes.number(at: start + 40))
  }

  /// The fingerprint as `PackedDigests` has it; nil where it is the first checksum.
  static func fingerprint(_ bytes: [UInt8], at start: Int) -> ArraySlice<UInt8>? {
    let digest = bytes[start + digestOffset..<end(bytes, at: start)]
    return digest.count == 1 ? nil : digest
  }

  static func end(_ bytes: [UInt8], at start: Int) -> Int {
    let algorithm = DigestAlgorithm(number: bytes[start + digestOffset])
    return start + digestOffset + 1 + (algorithm?.length ?? 0)
  }
}
