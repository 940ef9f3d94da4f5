internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading

/// The locks of all queues that a run uses, taken together in one order, so that two runs never wait for each other in a
/// circle.
struct QueueLocks {
  private let locks: [QueueLock]

  /// Waits up to the options' `lockTimeout` for queues that other processes run; then throws `stateLocked`. `onWait` is told
  /// once what is waited for, when that takes more than a moment.
  static func take(
    _ manifest: Manifest, _ options: ApplyOptions, workspace: Workspace, stop: StopRequest,
    onWait: (DLSyncError) -> Void
  ) async throws(DLSyncError) -> QueueLocks {
    let queues = options.runs(manifest.queues)
      .map { (queue: $0.text, name: QueueLock.name(scope: manifest.scope, queue: $0)) }
      .sorted { $0.name < $1.name }
    let deadline = MonotonicInstant.now.advanced(by: options.lockTimeout.inNanoseconds)
    var moment: MonotonicInstant? = MonotonicInstant.now.advanced(by: 1_000_000_000)
    while true {
      do throws(DLSyncError) {
        return try takeAll(queues, folder: workspace.locksFolder)
      } catch {
        guard error.code == .stateLocked else { throw error }
        if stop.signal != nil { throw Self.stopped(error) }
        guard MonotonicInstant.now < deadline else { throw options.lockTimeout > .zero ? Self.inVain(error) : error }
        if let end = moment, MonotonicInstant.now >= end {
          moment = nil
          onWait(error)
        }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// The same error for somebody who has waited already.
  private static func inVain(_ error: DLSyncError) -> DLSyncError {
    DLSyncError(
      error.code, error.message + ", and did not end in time", hint: "wait longer, or end that process",
      error.details)
  }

  /// The same error for somebody who waits no longer.
  private static func stopped(_ error: DLSyncError) -> DLSyncError {
    DLSyncError(
      .interrupted, "the run was stopped while it waited, and nothing was done: \(error.message)",
      hint: "apply again when that process has ended", error.details)
  }

  private static func takeAll(_ queues: [(queue: String, name: String)], folder: String) throws(DLSyncError)
    -> QueueLocks
  {
    var locks: [QueueLock] = []
    do throws(DLSyncError) {
      for (queue, name) in queues { locks.append(try QueueLock.take(folder: folder, name: name, queue: queue)) }
      return QueueLocks(locks: locks)
    } catch {
      for lock in locks { lock.release() }
      throw error
    }
  }

  func release() {
    for lock in locks { lock.release() }
  }
}

extension QueueLock {
  /// The locks of those of these queues that nobody runs.
  static func takeFree(_ queues: Set<QueueName>, of scope: Scope, folder: String) -> [QueueName: QueueLock] {
    var locks: [QueueName: QueueLock] = [:]
    for queue in queues { locks[queue] = try? take(folder: folder, name: name(scope: scope, queue: queue)) }
    return locks
  }

  /// The lock's name: the queue's own where it is a plain word, and a hash of scope and queue that makes it unique.
  static func name(scope: Scope, queue: QueueName) -> String {
    var hash = StableHash()
    hash.combine(scope.text)
    hash.combine(queue.text)
    let word = queue.text.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }.prefix(24)
    return String(String.UnicodeScalarView(word)) + "-" + String(hash.finish(), radix: 16)
  }
}
