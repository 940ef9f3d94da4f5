internal import DLSyncModel
internal import DLSyncThreading

/// Carries events from the run to its observer on a thread of their own, so that an observer that is slow (a pipe that
/// nobody empties) delays no transfer. Events are swapped out in batches: one wake-up for many.
actor EventRelay {
  private struct Buffer {
    var events: [Event] = []
    var isFinished = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let executor = ThreadExecutor(name: "dlsync-events")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let buffer = Locked(Buffer())
  private let observer: any RunObserver

  init(_ observer: any RunObserver) { self.observer = observer }

  /// Takes an event, from any thread, and returns at once.
  nonisolated func send(_ event: Event) {
    let waiting = buffer.withLock { buffer in
      buffer.events.append(event)
      defer { buffer.waiting = nil }
      return buffer.waiting
    }
    waiting?.resume()
  }

  /// No event comes after this; `run` ends when all are delivered.
  nonisolated func finish() {
    let waiting = buffer.withLock { buffer in
      buffer.isFinished = true
      defer { buffer.waiting = nil }
      return buffer.waiting
    }
    waiting?.resume()
  }

  /// Delivers until `finish`.
  func run() async {
    while true {
      let (batch, isFinished) = buffer.withLock { buffer -> ([Event], Bool) in
        let batch = buffer.events
        buffer.events = []
        return (batch, buffer.isFinished)
      }
      if !batch.isEmpty {
        observer.receive(batch)
      } else if isFinished {
        executor.stop()
        return
      } else {
        await waitForEvents()
        // Whoever comes next within this time shares the wake-up.
        await executor.sleep(until: MonotonicInstant.now.advanced(by: 10_000_000))
      }
    }
  }

  private func waitForEvents() async {
    await withCheckedContinuation { continuation in
      let isReady = buffer.withLock { buffer in
        if !buffer.events.isEmpty || buffer.isFinished { return true }
        buffer.waiting = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
