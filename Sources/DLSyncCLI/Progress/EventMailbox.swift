import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// Takes events from the run without ever making it wait, and gives them to the console in its own time.
///
/// Where the reader of the output is slow, samples of progress are dropped: newer ones say the same better.
final class EventMailbox: RunObserver {
  private struct Contents {
    var events: [Event] = []
    var limit = EventMailbox.firstLimit
  }

  private static let firstLimit = 65_536

  /// One element, at least, for each time that something came.
  let wakes: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let contents = Locked(Contents())

  init() {
    (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func receive(_ events: [Event]) {
    contents.withLock { contents in
      contents.events += events
      guard contents.events.count > contents.limit else { return }
      contents.events.removeAll { if case .progress = $0 { true } else { false } }
      contents.limit = max(Self.firstLimit, contents.events.count * 2)
    }
    continuation.yield()
  }

  /// Everything that came since the last time, in order.
  func take() -> [Event] {
    contents.withLock { contents in
      defer { contents = Contents() }
      return contents.events
    }
  }

  /// Makes the receiver look up though nothing came.
  func wake() { continuation.yield() }

  /// Ends `wakes`; the last events may still wait to be taken.
  func close() { continuation.finish() }
}
