public import DLSyncModel

/// What happens in a queue, as it happens.
public enum DownloadUpdate: Sendable {
  /// A task is in another state, for this reason if it is trouble. A new task begins with `waiting`.
  case state(TaskID, TaskState, error: DLSyncError?)
  /// How far a running task is, at the queue's `progressInterval`.
  case progress(TaskID, ProgressSample)
  /// All work of the queue is at its end: every task is completed, failed, canceled or removed. Comes once each time that
  /// this becomes so.
  case finished
}

/// The updates of a queue or of a task, from the moment on at which this value was made. What happened before is not told
/// again: a snapshot tells it.
///
/// A sequence is read by one reader, once. A reader that is slow loses no change of state, and of progress only what is out
/// of date. The subscription ends with the sequence and its iterator, and nothing else does.
public struct DownloadUpdates: AsyncSequence, Sendable {
  /// What is told.
  public typealias Element = DownloadUpdate
  /// The sequence ends, and never fails.
  public typealias Failure = Never

  let subscription: Subscription

  /// Goes on where the last iterator of this sequence stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Reads updates one by one.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    /// What is told.
    public typealias Element = DownloadUpdate
    /// The sequence ends, and never fails.
    public typealias Failure = Never

    let subscription: Subscription

    init(subscription: Subscription) { self.subscription = subscription }

    /// The next update; nil when the queue is closed, when the task of a task's sequence is at its end, or when the
    /// reader's Swift task is cancelled.
    public mutating func next() async -> DownloadUpdate? { await subscription.box.next() }
  }
}
