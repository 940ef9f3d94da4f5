internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// A connection failed: that may concern it alone, its source, or the whole attempt.
extension SegmentedFetch {
  func consider(_ error: DLSyncError, of segment: RunningSegment, retryAfter: HostPause?) {
    let status = error.details.statusCode ?? 0
    let source = sources[segment.source].source
    // Some answer 400 to a token that has expired, and 401 to who lacks a cookie.
    if segment.url != source.url, [400, 401, 403, 404, 410].contains(status) {
      sources.forget(segment.url, of: segment.source)
    } else if segment.source > 0, SourceRing.isOfOneServer(error) {
      considerMirror(error, of: segment, retryAfter: retryAfter)
    } else if error == .notARange, !segments.isEmpty {
      sources.lower(segment.source, to: 1)
    } else if segments.isEmpty || facts == nil || Self.concernsAll(error) {
      conclude(.failed(error, retryAfter: retryAfter))
    } else {
      // The others go on. The server has enough of us, or this connection brought too little to be worth another one.
      let mayPass = error.isRetryable || [403, 408, 429].contains(status) || status >= 500
      if !mayPass || segment.meter.received.value < context.smallestSplit {
        let isAlone = !running.keys.contains { $0 != segment.source }
        sources.lower(segment.source, to: max(isAlone ? 1 : 0, running[segment.source, default: 0]))
      }
      if let retryAfter { context.onHold(retryAfter) }
    }
  }

  /// A mirror that has something else is not asked again; one that is merely tired gets fewer connections. Nobody but it
  /// fails by that.
  private func considerMirror(
    _ error: DLSyncError, of segment: RunningSegment, retryAfter: HostPause?
  ) {
    let source = sources[segment.source].source
    let mayPass = error.isRetryable && error.code != .resourceChanged
    if !mayPass {
      sources.lower(segment.source, to: 0)
      let isOther =
        error.isOfWrongBytes || error.code == .encodingUnsupported || error.code == .resourceChanged
      if isOther, error != .notARange { caught.append((source.url, error)) }
    } else if segment.meter.received.value < context.smallestSplit {
      sources.lower(segment.source, to: running[segment.source, default: 0])
    }
    if let retryAfter { context.onHold(retryAfter) }
  }

  /// Trouble that no other connection can mend: bytes that must not be joined, and whatever is no server's.
  private static func concernsAll(_ error: DLSyncError) -> Bool {
    !SourceRing.isOfOneServer(error) || error.code == .resourceChanged || error.isOfWrongBytes
  }
}

extension DLSyncError {
  /// An additional connection was answered with the whole resource: that connection just ends. The only one has to begin
  /// anew.
  static let notARange = DLSyncError(
    .resourceChanged, "the server answered a range with the whole resource")
}
