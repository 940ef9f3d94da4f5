internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// One request on its way.
struct RunningSegment: Sendable {
  let meter: TransferMeter
  let cancel: CancelToken
  /// The offset of the first byte.
  var lower: Int64
  /// The offset behind the last byte that was asked for.
  let upper: Int64
  /// Its range in the layout; nil until the first response made one.
  var layoutID: SegmentLayout.SegmentID?
  /// Who is asked, and at which URL.
  let source: SegmentSources.Index
  let url: SourceURL
  let begun: MonotonicInstant
  /// When its response came.
  var responded: MonotonicInstant?
  private var speed = SpeedEstimate()
  private(set) var bytesPerSecond = 0.0
  /// Whether that is a mean over time and not what a first burst suggests.
  private(set) var isSteady = false
  private var slowSince: MonotonicInstant?

  init(
    meter: TransferMeter, cancel: CancelToken, lower: Int64, upper: Int64,
    layoutID: SegmentLayout.SegmentID?,
    source: SegmentSources.Index, url: SourceURL, begun: MonotonicInstant
  ) {
    self.meter = meter
    self.cancel = cancel
    self.lower = lower
    self.upper = upper
    self.layoutID = layoutID
    self.source = source
    self.url = url
    self.begun = begun
  }

  /// The offset behind the last byte in the part file.
  var position: Int64 { lower + meter.received.value }
  /// The offset behind the last byte that came.
  var front: Int64 { lower + came }
  var came: Int64 { max(meter.received.value, meter.collected.value) }

  mutating func observe(_ now: MonotonicInstant) {
    let received = came
    if let measured = speed.take(received, at: now) {
      bytesPerSecond = measured
      isSteady = true
    } else if let responded, responded < now {
      // Too early for a mean over time: all that came since the response.
      bytesPerSecond = Double(received) / now.seconds(since: responded)
      isSteady = now.seconds(since: responded) >= 0.02
    }
    // Silence for so long is a pace as well: the slowest.
    if bytesPerSecond == 0, now.seconds(since: begun) >= 1 { bytesPerSecond = 1 }
  }

  /// Whether it has been slower than `limit` for so many seconds.
  mutating func isStraggling(below limit: Double, for patience: Double, _ now: MonotonicInstant) -> Bool {
    guard bytesPerSecond < limit else {
      slowSince = nil
      return false
    }
    let since = slowSince ?? now
    slowSince = since
    return now.seconds(since: since) >= patience
  }
}
