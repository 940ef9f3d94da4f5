package import DLSyncModel

/// Decides whether a failed attempt is tried again, and when. A value: it neither waits nor looks at a clock.
///
/// Tried again is what may pass by itself: the queue's status codes, name look-ups, refused, lost and silent connections.
/// Not tried again is what the same request would meet again. The delay is drawn from the whole interval up to
/// `baseDelay * 2^(n-1)`, at most `maxDelay`, so that many clients that failed together do not return together; a server's
/// Retry-After is its lower bound.
package struct RetryPolicy: Sendable {
  package enum Decision: Equatable, Sendable {
    case retry(after: Duration)
    /// The error as it is to be reported: it tells whether a later run may succeed.
    case giveUp(DLSyncError)
  }

  package init() {}

  /// `attempt` counts from 1 and is the one that failed; `random` lies in 0...1.
  package func decide(
    _ error: DLSyncError, attempt: Int, settings: QueueConfiguration.Retry, random: Double, retryAfter: Duration? = nil
  ) -> Decision {
    let mayPass = Self.isRetryable(error, statusCodes: settings.statusCodes)
    guard mayPass, attempt < settings.maxAttempts else { return .giveUp(Self.marked(error, isRetryable: mayPass)) }
    let asked = retryAfter ?? error.details.retryAfter.map { .seconds($0) } ?? .zero
    return .retry(after: max(asked, Self.delay(attempt: attempt, settings: settings, random: random)))
  }

  /// Full jitter. The exponent is bounded, because a hundred attempts would leave the number range.
  package static func delay(attempt: Int, settings: QueueConfiguration.Retry, random: Double) -> Duration {
    let doublings = min(max(attempt - 1, 0), 40)
    let upper = min(settings.maxDelay.inSeconds, settings.baseDelay.inSeconds * Double(UInt64(1) << UInt64(doublings)))
    return .seconds(upper * min(max(random, 0), 1))
  }

  /// A status decides by the queue's list; anything else by the error itself.
  package static func isRetryable(_ error: DLSyncError, statusCodes: [Int]) -> Bool {
    guard !error.details.isPostponed, let status = error.details.statusCode,
      error.code == .httpStatus || error.code == .authenticationRequired
    else {
      return error.isRetryable
    }
    return statusCodes.contains(status)
  }

  /// The error as it is to be told while it is tried again.
  package static func told(_ error: DLSyncError, statusCodes: [Int]) -> DLSyncError {
    marked(error, isRetryable: isRetryable(error, statusCodes: statusCodes))
  }

  private static func marked(_ error: DLSyncError, isRetryable: Bool) -> DLSyncError {
    guard error.isRetryable != isRetryable else { return error }
    var details = error.details
    details.isRetryable = isRetryable
    return DLSyncError(error.code, error.message, hint: error.hint, details)
  }
}
