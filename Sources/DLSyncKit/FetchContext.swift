internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// What the requests for one file have in common.
struct FetchContext: Sendable {
  let transport: any Transport
  let entry: FileEntry
  /// The URL that is asked: the entry's own, or a mirror.
  let url: SourceURL
  let settings: TransferSettings
  let rateLimits: [RateLimit]
  /// Connections at once, at most.
  let connections: Int
  let smallestSplit: Int64
  let deadline: MonotonicInstant
  let cancel: CancelToken
  let part: PartFile
  /// Bytes in the part file, what was there before included: what progress shows.
  let progress: Counter
  /// The resource's length once it is known.
  let total: Counter
  /// Told of the first good response, on the transfer thread and before its first byte.
  let onResponse: @Sendable (ResponseFacts) throws(DLSyncError) -> Void

  func request(
    _ segment: RunningSegment, range: RangeRequest?,
    onResponse: @escaping @Sendable (ResponseFacts) throws(DLSyncError) -> Void
  ) -> TransferRequest {
    TransferRequest(
      url: segment.url, headers: entry.options.headers, headerOrigin: entry.url.origin, range: range,
      declaredSize: entry.size, acceptsEncodedBody: entry.acceptsEncodedBody || url.namesEncodedFile,
      needsOwnConnection: connections > 1,
      settings: settings, rateLimits: rateLimits, deadline: deadline, meter: segment.meter, cancel: segment.cancel,
      sink: part, onResponse: onResponse)
  }
}

/// One request on its way.
struct RunningSegment: Sendable {
  let meter: TransferMeter
  let cancel: CancelToken
  /// The offset of the first byte.
  var lower: Int64
  /// Its range in the layout; nil until the first response made one.
  var layoutID: SegmentLayout.SegmentID?
  let url: SourceURL
  private var speed = SpeedEstimate()
  private(set) var bytesPerSecond = 0.0
  private var slowSince: MonotonicInstant?

  init(
    meter: TransferMeter, cancel: CancelToken, lower: Int64, layoutID: SegmentLayout.SegmentID?, url: SourceURL
  ) {
    self.meter = meter
    self.cancel = cancel
    self.lower = lower
    self.layoutID = layoutID
    self.url = url
  }

  /// The offset behind the last byte.
  var position: Int64 { lower + meter.received.value }

  mutating func observe(_ now: MonotonicInstant) {
    bytesPerSecond = speed.take(meter.received.value, at: now) ?? bytesPerSecond
  }

  /// Whether it has been slower than `limit` for ten seconds.
  mutating func isStraggling(below limit: Double, _ now: MonotonicInstant) -> Bool {
    guard bytesPerSecond < limit else {
      slowSince = nil
      return false
    }
    let since = slowSince ?? now
    slowSince = since
    return now.seconds(since: since) >= 10
  }
}

extension FileEntry {
  /// Whether a response that is encoded though identity was asked for is stored as sent.
  var acceptsEncodedBody: Bool { options.settings.keepsEncoding || url.namesEncodedFile }
}

extension SourceURL {
  /// Whether the name itself says that the file is compressed: a coding of the response is then the file's own.
  var namesEncodedFile: Bool {
    let path = path.lowercased()
    return [".gz", ".tgz", ".br", ".zst"].contains { path.hasSuffix($0) }
  }
}
