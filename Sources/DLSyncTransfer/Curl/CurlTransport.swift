import DLSyncModel
package import DLSyncThreading
import Synchronization

/// The real transport: libcurl on a thread of its own, which is the executor's.
package final class CurlTransport: Transport {
  package let executor: ThreadExecutor
  private let loop: Result<CurlLoop, DLSyncError>
  private let desk: Desk
  private let isStopped = Atomic<Bool>(false)

  /// Loads libcurl, sets it up and starts the thread; make it only when there is something to transfer, and `stop` it at
  /// the end. Where libcurl is missing every transfer fails and says so.
  package convenience init() { self.init(CurlLibrary.loaded.map(CurlLoop.init)) }

  /// Begins to load libcurl on a thread of its own, for a caller that has other work before it makes a transport: that
  /// then waits for what is left of it, and not for all. Whoever asks for it also waits for its end: a process that ended
  /// in the middle would clean up what is just being set up.
  package static func loadAhead() -> Task<Void, Never> {
    let executor = ThreadExecutor(name: "dlsync-load")
    return Task(executorPreference: executor) {
      _ = CurlLibrary.loaded
      executor.stop()
    }
  }

  init(_ loop: Result<CurlLoop, DLSyncError>) {
    self.loop = loop
    executor = ThreadExecutor(name: "transfer", driver: (try? loop.get()) ?? WaitingDriver())
    desk = Desk(executor: executor, loop: loop)
  }

  deinit { stop() }

  package func fetch(_ request: TransferRequest) async -> TransferOutcome { await desk.fetch(request) }

  /// Cancels what runs, then ends the thread. Nothing may be fetched afterwards: it would never begin.
  package func stop() {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    guard case .success(let loop) = loop else { return executor.stop() }
    // Weak: where the thread has ended, nobody comes for this any more, and the executor holds the loop that holds it.
    loop.requestStop { [weak executor] in executor?.stop() }
  }

  /// Where requests come to the thread. An actor, so that a caller that is on the thread already (another actor of the
  /// same executor) goes through without a thread switch, and comes back without one.
  private actor Desk {
    private let executor: ThreadExecutor
    private let loop: Result<CurlLoop, DLSyncError>

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(executor: ThreadExecutor, loop: Result<CurlLoop, DLSyncError>) {
      self.executor = executor
      self.loop = loop
    }

    func fetch(_ request: TransferRequest) async -> TransferOutcome {
      let loop: CurlLoop
      do throws(DLSyncError) { loop = try self.loop.get() } catch {
        return TransferOutcome(end: .failed(error), response: nil, received: 0)
      }
      // A task that lives on this thread is cancelled by its request's token, and needs no preference.
      if prefersThread { return await transfer(request, loop) }
      // The runtime resumes a continuation on the task's preferred executor, else on the global pool, even where the
      // function that waits belongs to an actor with its own executor. Without the preference each transfer would cost
      // two thread switches.
      return await withTaskExecutorPreference(executor) {
        await withTaskCancellationHandler {
          await transfer(request, loop)
        } onCancel: {
          request.cancel.cancel()
          loop.wake()
        }
      }
    }

    private var prefersThread: Bool {
      withUnsafeCurrentTask { $0?.unownedTaskExecutor == executor.asUnownedTaskExecutor() }
    }

    private func transfer(_ request: TransferRequest, _ loop: CurlLoop) async -> TransferOutcome {
      await withCheckedContinuation { continuation in
        loop.submit(Submission(request: request, continuation: continuation))
      }
    }
  }
}
