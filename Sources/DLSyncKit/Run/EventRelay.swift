internal import DLSyncModel
internal import DLSyncThreading

/// Carries events from the run to its observer on a thread of their own, so that an observer that is slow (a pipe that
/// nobody empties) delays no transfer.
actor EventRelay {
  /// Whoever comes within this time shares the wake-up, in nanoseconds.
  private static let linger: Int64 = 10_000_000

  private let executor = ThreadExecutor(name: "dlsync-events")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let events = Mailbox<Event>()
  private let observer: any RunObserver
  private let lingering = Locked<Task<Void, Never>?>(nil)
  private let tap: (@Sendable (Event) -> Void)?

  /// `tap` is told of every event before anything else happens, on the thread on which it happens: it is quick, and waits
  /// for nothing.
  init(_ observer: any RunObserver, tap: (@Sendable (Event) -> Void)? = nil) {
    self.observer = observer
    self.tap = tap
  }

  /// Takes an event, from any thread, and returns at once.
  nonisolated func send(_ event: Event) {
    tap?(event)
    events.send(event)
  }

  /// No event comes after this; `run` ends when all are delivered.
  nonisolated func finish() {
    events.finish()
    lingering.withLock { $0 }?.cancel()
  }

  /// Delivers until `finish`.
  nonisolated func run() async {
    await withTaskExecutorPreference(executor) { await deliver() }
  }

  private func deliver() async {
    while await events.wait() {
      await linger()
      observer.receive(events.take())
    }
    executor.stop()
  }

  /// Waits a little for more, unless nothing more comes.
  private func linger() async {
    let end = MonotonicInstant.now.advanced(by: Self.linger)
    let sleep = Task(executorPreference: executor) { [executor] in await executor.sleep(until: end) }
    lingering.withLock { $0 = sleep }
    if events.isFinished { sleep.cancel() }
    await sleep.value
  }
}
