package import DLSyncModel

/// What the final response (no redirect, no 1xx) told.
package struct ResponseFacts: Sendable {
  package let statusCode: Int
  /// The URL that answered.
  package let finalURL: SourceURL
  /// The resource's whole length, where it was told.
  package let total: Int64?
  /// The offset of the first byte of the body.
  package let offset: Int64
  /// A strong validator, or nil.
  package let validator: Validator?
  /// Whether the server says or shows that it answers ranges.
  package let acceptsRanges: Bool
  /// All fields but those that carry secrets.
  package let headers: [HeaderField]
  package let contentType: String?
  /// Whether the request that was answered might still carry the entry's own headers: none that came by another origin may.
  package let keptHeaders: Bool

  package init(
    statusCode: Int, finalURL: SourceURL, total: Int64?, offset: Int64, validator: Validator?, acceptsRanges: Bool,
    headers: [HeaderField], contentType: String?, keptHeaders: Bool = true
  ) {
    self.keptHeaders = keptHeaders
    self.statusCode = statusCode
    self.finalURL = finalURL
    self.total = total
    self.offset = offset
    self.validator = validator
    self.acceptsRanges = acceptsRanges
    self.headers = headers
    self.contentType = contentType
  }
}

/// The one end of a transfer.
package struct TransferOutcome: Sendable {
  package enum End: Sendable {
    /// Everything that was asked for is in the sink; `length` is the offset behind the last byte.
    case completed(length: Int64)
    /// The server has nothing else than the condition names.
    case unchanged
    case failed(DLSyncError)
    case cancelled
  }

  package let end: End
  /// The final response, if one came.
  package let response: ResponseFacts?
  /// Payload bytes that travelled, also when the transfer failed.
  package let received: Int64
  /// The host that asked to be left alone, and for how long (`Retry-After`), whatever the end.
  package let retryAfter: HostPause?

  package init(end: End, response: ResponseFacts?, received: Int64, retryAfter: HostPause? = nil) {
    self.end = end
    self.response = response
    self.received = received
    self.retryAfter = retryAfter
  }
}
