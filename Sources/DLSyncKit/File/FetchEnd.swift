internal import DLSyncModel
internal import DLSyncTransfer

/// How one attempt at the bytes of a file ended.
enum FetchEnd: Sendable {
  /// Every byte is in the part file; the resource has this length.
  case complete(length: Int64)
  /// The server has nothing newer than what the request's condition names.
  case unchanged
  case failed(DLSyncError, retryAfter: HostPause?)
  case cancelled

  var isComplete: Bool { if case .complete = self { true } else { false } }
}

/// Bytes of one mirror.
struct Contribution: Sendable {
  let url: SourceURL
  let range: ByteRange
}
