internal import DLSyncDisk
internal import DLSyncModel
internal import Synchronization

/// The right of this process to run a queue, and one of its 64 places for open queues. Both end with the last reference.
final class QueueTenure: Sendable {
  /// So many queues may be open in one process.
  static let limit = 64
  private static let count = Atomic<Int>(0)

  private let lock: QueueLock

  /// Throws `queueLimitExceeded`, `stateLocked` where another process or manager has the queue, or `stateUnavailable`.
  init(_ scope: Scope, _ queue: QueueName, _ workspace: Workspace) throws(DLSyncError) {
    guard Self.count.add(1, ordering: .relaxed).newValue <= Self.limit else {
      Self.count.subtract(1, ordering: .relaxed)
      throw DLSyncError(
        .queueLimitExceeded, "\(Self.limit) queues are open in this process, and \"\(queue)\" would be one more",
        hint: "close a queue, or merge queues")
    }
    do throws(DLSyncError) {
      lock = try QueueLock.take(
        folder: workspace.locksFolder, name: QueueLock.name(scope: scope, queue: queue), queue: queue.text)
    } catch {
      Self.count.subtract(1, ordering: .relaxed)
      throw error
    }
  }

  deinit {
    lock.release()
    Self.count.subtract(1, ordering: .relaxed)
  }
}
