import DLSyncModel

// How values become columns. The numbers and letters here are part of the schema: they never change their meaning.

extension TaskState {
  var stored: Int64 {
    switch self {
    case .waiting: 1
    case .running: 2
    case .retrying: 3
    case .suspended: 4
    case .verifying: 5
    case .publishing: 6
    case .completed: 7
    case .failed: 8
    case .canceled: 9
    case .removed: 10
    }
  }

  /// A number that this version does not know counts as not begun: the worst that follows is a check or a download.
  init(stored number: Int64) {
    self = Self.byNumber.indices.contains(Int(number)) ? Self.byNumber[Int(number)] : .waiting
  }

  private static let byNumber: [TaskState] = [
    .waiting, .waiting, .running, .retrying, .suspended, .verifying, .publishing, .completed, .failed, .canceled,
    .removed,
  ]
}

extension DigestAlgorithm {
  var stored: UInt8 {
    switch self {
    case .md5: 1
    case .sha1: 2
    case .sha224: 3
    case .sha256: 4
    case .sha384: 5
    case .sha512: 6
    case .blake2b512: 7
    }
  }

  init?(stored number: UInt8) {
    guard number > 0, Int(number) <= Self.byNumber.count else { return nil }
    self = Self.byNumber[Int(number) - 1]
  }

  private static let byNumber: [DigestAlgorithm] = [.md5, .sha1, .sha224, .sha256, .sha384, .sha512, .blake2b512]
}

/// Digests as one blob: for each the algorithm's number, then its bytes.
enum DigestCoding {
  static func encode(_ digest: Digest) -> [UInt8] { encode([digest]) }

  static func encode(_ digests: [Digest]) -> [UInt8] {
    var bytes: [UInt8] = []
    for digest in digests {
      bytes.append(digest.algorithm.stored)
      bytes += digest.bytes
    }
    return bytes
  }

  /// What can be read; an algorithm that this version does not know ends it.
  static func decode(_ blob: UnsafeRawBufferPointer) -> [Digest] {
    var digests: [Digest] = []
    var rest = blob[...]
    while let digest = first(&rest) { digests.append(digest) }
    return digests
  }

  /// What can be read, as `PackedDigests` has it: no object for each.
  static func packed(_ blob: UnsafeRawBufferPointer) -> [UInt8] {
    var packed: [UInt8] = []
    packed.reserveCapacity(blob.count)
    var rest = blob[...]
    while let number = rest.first, let algorithm = DigestAlgorithm(stored: number), rest.count > algorithm.length {
      PackedDigests.append(algorithm, rest.dropFirst().prefix(algorithm.length), to: &packed)
      rest = rest.dropFirst(1 + algorithm.length)
    }
    return packed
  }

  /// A blob that holds one digest.
  static func decodeOne(_ blob: UnsafeRawBufferPointer) -> Digest? {
    var rest = blob[...]
    return first(&rest)
  }

  private static func first(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Digest? {
    guard let number = rest.first, let algorithm = DigestAlgorithm(stored: number) else { return nil }
    let bytes = rest.dropFirst().prefix(algorithm.length)
    rest = rest.dropFirst(1 + algorithm.length)
    return Digest(algorithm, bytes: [UInt8](UnsafeRawBufferPointer(rebasing: bytes)))
  }
}

/// The columns of a published file: fingerprint, device, inode, size, modified, changed, mode, recordedAt.
extension PublishedFile {
  static let columnCount: Int32 = 8

  /// Reads eight columns; nil where they are NULL.
  init?(_ row: Statement, from column: Int32) {
    guard let fingerprint = row.withBlob(column, DigestCoding.decodeOne) else { return nil }
    let identity = FileIdentity(
      device: UInt64(bitPattern: row.integer(column + 1)), inode: UInt64(bitPattern: row.integer(column + 2)),
      size: row.integer(column + 3), modified: row.integer(column + 4), changed: row.integer(column + 5),
      mode: UInt16(truncatingIfNeeded: row.integer(column + 6)))
    self.init(
      fingerprint: fingerprint, identity: identity, recordedAt: Timestamp(nanoseconds: row.integer(column + 7)))
  }

  func bind(_ statement: Statement, from index: Int32) {
    statement.bind(index, DigestCoding.encode(fingerprint))
    statement.bind(index + 1, Int64(bitPattern: identity.device))
    statement.bind(index + 2, Int64(bitPattern: identity.inode))
    statement.bind(index + 3, identity.size)
    statement.bind(index + 4, identity.modified)
    statement.bind(index + 5, identity.changed)
    statement.bind(index + 6, Int64(identity.mode))
    statement.bind(index + 7, recordedAt.nanoseconds)
  }
}
