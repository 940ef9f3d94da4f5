import DLSyncThreading

/// Lets paced transfers take turns. A transfer that may not pass is paused and stands in line; the loop lets the first of
/// the line pass as soon as its limits are open again, for a bounded number of bytes when others wait. So all share
/// fairly, whatever the size of their pieces is. Confined to the transfer thread.
final class Pacer {
  /// What one transfer may take in its turn: two milliseconds' worth, within these bounds.
  private static let turnBounds = 16.0 * 1024...512 * 1024

  private var line: [Exchange] = []

  /// Whether a piece may pass now; if so it is paid for. Else the transfer stands in line and must be paused.
  func admit(_ exchange: Exchange, _ bytes: Int) -> Bool {
    let now = MonotonicInstant.now
    let limits = exchange.request.rateLimits
    let mayGo = limits.allSatisfy { $0.isOpen(now) && (exchange.turnLeft > 0 || $0.waiting.value == 0) }
    guard mayGo else {
      enqueue(exchange)
      return false
    }
    exchange.turnLeft = max(0, exchange.turnLeft - bytes)
    for limit in limits { limit.take(bytes, now) }
    return true
  }

  /// Transfers whose turn it is now, taken out of the line.
  func takeDue(_ now: MonotonicInstant) -> Exchange? {
    guard let index = line.firstIndex(where: { exchange in exchange.request.rateLimits.allSatisfy { $0.isOpen(now) } })
    else { return nil }
    let exchange = line.remove(at: index)
    leave(exchange)
    let slowest = exchange.request.rateLimits.compactMap(\.rate).min() ?? .infinity
    exchange.turnLeft = Int(min(max(slowest / 500, Self.turnBounds.lowerBound), Self.turnBounds.upperBound))
    return exchange
  }

  /// The moment at which the next transfer may pass, or nil when none waits.
  func nextOpening(_ now: MonotonicInstant) -> MonotonicInstant? {
    line.lazy.map { exchange in exchange.request.rateLimits.lazy.map { $0.opening(now) }.max() ?? now }.min()
  }

  /// Forgets a transfer that ended.
  func remove(_ exchange: Exchange) {
    guard exchange.isPaused, let index = line.firstIndex(where: { $0 === exchange }) else { return }
    line.remove(at: index)
    leave(exchange)
  }

  var count: Int { line.count }

  private func enqueue(_ exchange: Exchange) {
    guard !exchange.isPaused else { return }
    exchange.isPaused = true
    exchange.turnLeft = 0
    for limit in exchange.request.rateLimits { limit.waiting.add(1) }
    line.append(exchange)
  }

  private func leave(_ exchange: Exchange) {
    exchange.isPaused = false
    for limit in exchange.request.rateLimits { limit.waiting.add(-1) }
  }
}
