import Synchronization

/// A request to stop, made from any thread and seen by the thread that works. Made before the work begins, because
/// cancellation can overtake the start.
package final class CancelToken: Sendable {
  private let flag = Atomic<Bool>(false)
  private let parent: CancelToken?

  /// A token of its own, or one that is cancelled with its parent as well.
  package init(parent: CancelToken? = nil) { self.parent = parent }

  /// Whether somebody asked to stop.
  package var isCancelled: Bool { flag.load(ordering: .acquiring) || parent?.isCancelled == true }

  package func cancel() { flag.store(true, ordering: .releasing) }
}
