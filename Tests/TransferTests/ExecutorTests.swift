import DLSyncThreading
import Testing

/// How a thread's own work and its jobs take turns.
@Suite struct ExecutorTests {
  /// A driver whose first turn makes a job, as a callback in the middle of a transfer does, and then would wait for ever.
  private final class BusyDriver: ExecutorDriver {
    let waiting = WaitingDriver()
    let continuation = Locked<CheckedContinuation<Void, Never>?>(nil)
    /// Whether the present turn was told of a job.
    let isNoted = Locked(false)
    let waits = Locked(0)

    func turn(timeout: Duration?) {
      isNoted.withLock { $0 = false }
      let waiter = continuation.withLock { waiter in
        defer { waiter = nil }
        return waiter
      }
      waiter?.resume()
      guard !isNoted.withLock({ $0 }) else { return }
      if waiter != nil { waits.withLock { $0 += 1 } }
      waiting.turn(timeout: waiter == nil ? timeout : .milliseconds(200))
    }

    func wake() { waiting.wake() }
    func noteJob() { isNoted.withLock { $0 = true } }
  }

  private actor Waiter {
    let executor: ThreadExecutor
    let driver: BusyDriver
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ driver: BusyDriver) {
      self.driver = driver
      executor = ThreadExecutor(name: "test", driver: driver)
    }

    func run() async {
      await withCheckedContinuation { continuation in driver.continuation.withLock { $0 = continuation } }
      executor.stop()
    }
  }

  @Test func jobThatATurnMakesIsNotWaitedUpon() async {
    let driver = BusyDriver()
    let waiter = Waiter(driver)
    // The runtime resumes a continuation on the task's preferred executor.
    await Task(executorPreference: waiter.executor) { await waiter.run() }.value
    #expect(driver.waits.withLock { $0 } == 0)
  }
}
