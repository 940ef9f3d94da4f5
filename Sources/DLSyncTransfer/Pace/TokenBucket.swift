package import DLSyncThreading

/// An allowance of bytes that fills at a steady rate. Pure: the moment is a parameter.
///
/// What arrived in one piece is paid in one piece, so the balance may fall below zero; nothing more passes until time has
/// paid the debt. That keeps the average exact whatever the pieces' size is. The bucket holds what
/// 75 milliseconds bring, the only burst that there can be, and starts empty: less would lose rate on a busy machine, more
/// would show as a second that is a tenth too fast.
package struct TokenBucket: Sendable {
  /// How much may collect while nothing is taken, as seconds of the rate.
  static let capacityInSeconds = 0.075

  /// Bytes a second; nil passes everything.
  package private(set) var rate: Double?
  private var balance = 0.0
  private var updated: MonotonicInstant

  package init(bytesPerSecond rate: Double?, now: MonotonicInstant) {
    self.rate = rate
    updated = now
  }

  /// Another rate from now on. A debt made at the old rate is worth as much time at the new one, so that lowering a rate
  /// does not stall for what was let through before.
  package mutating func setRate(_ new: Double?, now: MonotonicInstant) {
    refill(now)
    if let rate, let new, balance < 0 { balance *= new / rate } else { balance = min(balance, 0) }
    if new == nil { balance = 0 }
    rate = new
  }

  /// Whether a piece may pass now.
  package mutating func isOpen(_ now: MonotonicInstant) -> Bool {
    refill(now)
    return balance >= 0
  }

  /// Pays for bytes that passed.
  package mutating func take(_ bytes: Int, _ now: MonotonicInstant) {
    guard rate != nil else { return }
    refill(now)
    balance -= Double(bytes)
  }

  /// The moment at which the next piece may pass: `now` where it may already.
  package mutating func opening(_ now: MonotonicInstant) -> MonotonicInstant {
    refill(now)
    guard let rate, balance < 0 else { return now }
    let seconds = -balance / rate
    return now.advanced(by: seconds > 1e9 ? Int64(1e18) : Int64((seconds * 1e9).rounded(.up)))
  }

  private mutating func refill(_ now: MonotonicInstant) {
    defer { updated = max(updated, now) }
    guard let rate, now > updated else { return }
    balance = min(rate * Self.capacityInSeconds, balance + rate * now.seconds(since: updated))
  }
}
