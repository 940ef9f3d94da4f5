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

  /// A response came after so many seconds. Some servers take long before a range, though not before the whole: then a range
  /// tells what the next one will cost.
  func noteStartup(_ seconds: Double, ofRange: Bool) {
    startup = ofRange == hasRangeStartup ? min(startup, seconds) : ofRange ? seconds : startup
    hasRangeStartup = hasRangeStartup || ofRange
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

  /// Nothing has come over any connection for as long as one may be silent: opening them anew did not help.
  func endSilence() {
    let came = segments.values.reduce(received) { $0 + $1.came }
    silence.look(bytes: came, segments.values.lazy.map(\.meter.silence), .now)
    let limit = context.settings.timeouts.request
    guard facts != nil, silence.length >= limit.inNanoseconds else { return }
    conclude(.failed(.silent(context.source.url, limit), retryAfter: nil))
  }

  /// A connection below a third of the median for ten seconds is opened anew; sooner where the others have nothing left to
  /// do and it keeps what is too short to be split. One that brings nothing again and again gets twice the time each time:
  /// there are servers that need long for every answer.
  func reviveStragglers() {
    observeSpeeds()
    guard context.rateLimits.isEmpty else { return }
    // Where others have brought what they were asked for, silence is slow whatever they were measured at.
    let limit = max(expectedSpeed / 3, hasServed ? 2 : 0)
    let patience = (segments.count < room ? 3.0 : 10.0) * Double(1 << min(vainRevivals, 6))
    let now = MonotonicInstant.now
    for number in segments.keys where segments[number]?.isStraggling(below: limit, for: patience, now) == true {
      guard let segment = segments[number] else { continue }
      if segment.position == segment.lower { vainRevivals += 1 }
      silence.noteRevival()
      segment.cancel.cancel()
    }
  }
}
