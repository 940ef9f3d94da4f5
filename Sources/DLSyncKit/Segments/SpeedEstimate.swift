internal import DLSyncThreading

/// Bytes a second of something that is sampled now and then: the mean of the last few seconds, so that it neither jumps nor
/// lags.
struct SpeedEstimate {
  private static let window = 3.0
  private var samples: [(at: MonotonicInstant, bytes: Int64)] = []

  /// Takes a sample of a number that only grows; nil until there is something to compare with.
  mutating func take(_ bytes: Int64, at now: MonotonicInstant) -> Double? {
    samples.append((now, bytes))
    while samples.count > 2, now.seconds(since: samples[1].at) >= Self.window { samples.removeFirst() }
    let first = samples[0]
    let seconds = now.seconds(since: first.at)
    guard seconds >= 0.05 else { return nil }
    return max(0, Double(bytes - first.bytes) / seconds)
  }
}
