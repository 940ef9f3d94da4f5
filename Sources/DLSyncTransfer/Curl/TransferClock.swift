import CCurl
package import DLSyncModel
import DLSyncThreading

/// What time does to a transfer that runs: looked at every few hundredths of a second, because none of it needs more.
enum TransferClock {
  enum Call {
    /// The transfer ends so.
    case end(TransferOutcome.End)
    /// The present request ends as if its body did.
    case finishRequest
  }

  /// How long collected bytes may stay out of the sink.
  private static let flushInterval: Int64 = 200_000_000
  /// How long the rest of a body that nobody wants, or the end mark of one that is whole, is waited for.
  private static let patience: Int64 = 1_000_000_000

  /// What is to be done with a running transfer now, or nil while it goes on.
  static func call(_ exchange: Exchange, _ now: MonotonicInstant) -> Call? {
    let request = exchange.request
    if request.cancel.isCancelled { return .end(.cancelled) }
    if let body = exchange.body, exchange.phase == .receiving, body.isShortened { return .finishRequest }
    if let deadline = request.deadline, now >= deadline { return .end(.failed(overdue(exchange.target))) }
    if now.nanoseconds - exchange.lastFlush.nanoseconds >= flushInterval {
      exchange.lastFlush = now
      if let error = exchange.flush() { return .end(.failed(error)) }
    }
    return silence(exchange, now)
  }

  /// The same for one that waits for its turn at a host.
  static func endOfWaiting(_ exchange: Exchange, _ now: MonotonicInstant) -> TransferOutcome.End? {
    if exchange.request.cancel.isCancelled { return .cancelled }
    if let deadline = exchange.request.deadline, now >= deadline { return .failed(overdue(exchange.target)) }
    return nil
  }

  private static func silence(_ exchange: Exchange, _ now: MonotonicInstant) -> Call? {
    guard !exchange.isPaused else {
      exchange.lastActivity = now
      exchange.request.meter.silence = .heldBack
      return nil
    }
    exchange.request.meter.silence = exchange.lastActivity == nil ? .noneExpected : .awaited
    guard let last = exchange.lastActivity else {
      // The time for connecting is libcurl's affair; silence counts from the moment that the request could be sent.
      if let easy = exchange.easy, dl_curl_offset(easy.pointer, CURLINFO_PRETRANSFER_TIME_T) > 0 {
        exchange.lastActivity = now
      }
      return nil
    }
    let quiet = now.nanoseconds - last.nanoseconds
    if quiet >= patience, exchange.needsNothing { return .finishRequest }
    let limit = exchange.request.settings.timeouts.request
    guard quiet >= limit.inNanoseconds else { return nil }
    return .end(.failed(.silent(exchange.target, limit)))
  }

  private static func overdue(_ url: SourceURL) -> DLSyncError {
    DLSyncError(
      .resourceTimeout, "\"\(url.shown)\" was not there within the time that the file may take in all",
      hint: "raise timeouts.resource")
  }
}

extension DLSyncError {
  /// No byte came of a URL for so long.
  package static func silent(_ url: SourceURL, _ limit: Duration) -> DLSyncError {
    DLSyncError(
      .timedOut,
      "\"\(url.shown)\" could not be fetched: no byte came from \"\(url.host)\" for \(limit.inSeconds) s",
      hint: "run again: confirmed bytes are kept; timeouts.request is how long to wait")
  }
}
