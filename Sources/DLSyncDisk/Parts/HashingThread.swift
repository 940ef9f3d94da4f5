import DLSyncThreading

/// The thread that reads part files behind their frontiers and hashes them. One for the process: with two cores a
/// second one would compete with the transfer thread.
final class HashingThread: Sendable {
  static let shared = HashingThread()

  private let driver = FollowerDriver()
  /// Work of other kinds on the same thread.
  let actor: HashingActor

  private init() { actor = HashingActor(ThreadExecutor(name: "dlsync-hash", driver: driver)) }

  /// Hashes a part file until it has caught up with what is written.
  func follow(_ part: PartFile) { driver.follow(part) }
}

/// Runs what reads whole files, off the cooperative pool.
actor HashingActor {
  private let executor: ThreadExecutor

  init(_ executor: ThreadExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
}

/// The queue of parts with bytes to hash; each gets a few MiB in turn.
private final class FollowerDriver: ExecutorDriver {
  private let queue = Locked<[PartFile]>([])
  private let waiting = WaitingDriver()

  func follow(_ part: PartFile) {
    queue.withLock { $0.append(part) }
    waiting.wake()
  }

  func turn(timeout: Duration?) {
    // As many parts as there are large files on their way, so taking the first of the array is cheap.
    guard let part = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      return waiting.turn(timeout: timeout)
    }
    let hasMore = withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 64) { part.followOneStep($0) }
    if hasMore { queue.withLock { $0.append(part) } }
  }

  func wake() { waiting.wake() }

  /// Nothing: jobs come of hashing alone, and a turn that hashes does not wait.
  func noteJob() {}
}
