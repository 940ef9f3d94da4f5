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

/// Digests as one blob: for each the algorithm's number, then its bytes, as `PackedDigests` has them.
enum DigestCoding {
  static func encode(_ digest: Digest) -> [UInt8] { encode([digest]) }

  static func encode(_ digests: [Digest]) -> [UInt8] {
    var bytes: [UInt8] = []
    PackedDigests.append(digests, to: &bytes)
    return bytes
  }

  /// What can be read; an algorithm that this version does not know ends it.
  static func decode(_ blob: UnsafeRawBufferPointer) -> [Digest] {
    PackedDigests.digests(Array(PackedDigests.readable(blob))[...])
  }

  /// A blob that holds one digest.
  static func decodeOne(_ blob: UnsafeRawBufferPointer) -> Digest? {
    PackedDigests.digests(Array(PackedDigests.first(blob))[...]).first
  }
}

/// The columns of a published file: fingerprint, device, inode, size, modified, changed, mode, recordedAt.
extension PublishedFile {
  /// Reads eight columns; nil where they are NULL.
  init?(_ row: Statement, from column: Int32) {
    guard let fingerprint = row.withBlob(column, DigestCoding.decodeOne) else { return nil }
    self.init(
      fingerprint: fingerprint, identity: FileIdentity(row, from: column + 1),
      recordedAt: Timestamp(nanoseconds: row.integer(column + 7)))
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

extension RecordedFile {
  /// The same columns, for as long as the row is not left; nil where they are NULL. `fingerprint` is the first.
  init?(_ row: Statement, from column: Int32, fingerprint: UnsafeRawBufferPointer) {
    let fingerprint = PackedDigests.first(fingerprint)
    guard !fingerprint.isEmpty else { return nil }
    self.init(
      identity: FileIdentity(row, from: column + 1), recordedAt: Timestamp(nanoseconds: row.integer(column + 7)),
      fingerprint: fingerprint)
  }
}

extension FileIdentity {
  /// Reads six columns.
  fileprivate init(_ row: Statement, from column: Int32) {
    self.init(
      device: UInt64(bitPattern: row.integer(column)), inode: UInt64(bitPattern: row.integer(column + 1)),
      size: row.integer(column + 2), modified: row.integer(column + 3), changed: row.integer(column + 4),
      mode: UInt16(truncatingIfNeeded: row.integer(column + 5)))
  }
}
