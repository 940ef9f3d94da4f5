internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// How fast connections are, and what is done about a slow one.
extension SegmentedFetch {
  func observeSpeeds() {
    let now = MonotonicInstant.now
    for number in segments.keys {
      segments[number]?.observe(now)
      guard let segment = segments[number], let id = segment.layoutID else { continue }
      // Of one that has just begun beside others nothing is known: it counts as usual.
      let isKnown = segment.isSteady || segments.count == 1
      layout?.advance(id, to: segment.front, bytesPerSecond: isKnown ? segment.bytesPerSecond : 0)
    }
  }

  /// 0 as long as there are but first bursts.
  private var medianSpeed: Double {
    let speeds = segments.values.filter { $0.isSteady && $0.bytesPerSecond > 1 }.map(\.bytesPerSecond).sorted()
    return speeds.isEmpty ? 0 : speeds[speeds.count / 2]
  }

  /// What a connection brings, usually: also when those that showed it have ended.
  var expectedSpeed: Double {
    let median = medianSpeed
    if segments.count > 1, median > 0 { usualSpeed = median }
    return median > 0 && (segments.count > 1 || usualSpeed == 0) ? median : usualSpeed
  }

  /// A connection below a third of the median for ten seconds is opened anew.
  func reviveStragglers() {
    observeSpeeds()
    guard context.rateLimits.isEmpty else { return }
    let limit = expectedSpeed / 3
    let now = MonotonicInstant.now
    for number in segments.keys where segments[number]?.isStraggling(below: limit, now) == true {
      segments[number]?.cancel.cancel()
    }
  }
}
