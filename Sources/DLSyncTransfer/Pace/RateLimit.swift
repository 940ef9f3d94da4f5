package import DLSyncModel
import DLSyncThreading

/// The payload rate that the transfers of a queue, or of a whole run, share. Any thread may change it; the transfer thread
/// pays from it.
package final class RateLimit: Sendable {
  private let bucket: Locked<TokenBucket>
  /// Transfers that are held back by this limit right now. Only the transfer thread looks.
  let waiting = Counter()

  /// Nil lets everything pass until a rate is set.
  package init(bytesPerSecond: ByteCount?) {
    bucket = Locked(TokenBucket(bytesPerSecond: Self.rate(bytesPerSecond), now: .now))
  }

  /// Changes the rate; transfers that are under way follow within a second.
  package func setRate(_ bytesPerSecond: ByteCount?) {
    let rate = Self.rate(bytesPerSecond)
    bucket.withLock { $0.setRate(rate, now: .now) }
  }

  /// Bytes a second, or nil where there is no limit.
  var rate: Double? { bucket.withLock { $0.rate } }

  func isOpen(_ now: MonotonicInstant) -> Bool { bucket.withLock { $0.isOpen(now) } }

  func take(_ bytes: Int, _ now: MonotonicInstant) { bucket.withLock { $0.take(bytes, now) } }

  func opening(_ now: MonotonicInstant) -> MonotonicInstant { bucket.withLock { $0.opening(now) } }

  private static func rate(_ count: ByteCount?) -> Double? {
    guard let count, count.bytes > 0 else { return nil }
    return Double(count.bytes)
  }
}
