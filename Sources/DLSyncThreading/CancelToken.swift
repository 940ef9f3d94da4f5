import Synchronization

/// A request to stop, made from any thread and seen by the thread that works. Made before the work begins, because
/// cancellation can overtake the start.
package final class CancelToken: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Whether somebody asked to stop.
  package var isCancelled: Bool { flag.load(ordering: .acquiring) }

  package func cancel() { flag.store(true, ordering: .releasing) }
}
