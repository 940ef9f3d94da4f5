internal import DLSyncModel
internal import DLSyncTransfer

/// What an attempt builds upon: bytes that are in the part file and proved, and what the server must still agree with.
struct ResumePoint: Sendable {
  /// Ascending and disjoint.
  let present: [ByteRange]
  /// Nil where only a declared checksum can prove the whole.
  let validator: Validator?
  /// The resource's length where it was told.
  let total: Int64?
  /// The content codings of the bytes.
  var codings = ContentCodings()
  /// Whether the whole is asked for all the same: what is there goes when it comes.
  var asksWhole = false

  /// The first byte that is missing.
  var frontier: Int64 { present.first.map { $0.lower == 0 ? $0.upper : 0 } ?? 0 }

  /// How many bytes are there.
  var bytes: Int64 { present.reduce(0) { $0 + $1.length } }
}
