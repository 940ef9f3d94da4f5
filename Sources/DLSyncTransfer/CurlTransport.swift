package import DLSyncThreading

/// The real transport: libcurl on a thread of its own, which is the executor's.
package final class CurlTransport: Transport {
  package let executor: ThreadExecutor
  private let loop: CurlLoop

  /// Sets libcurl up and starts the thread; make it only when there is something to transfer, and `stop` it at the end.
  package init() {
    loop = CurlLoop()
    executor = ThreadExecutor(name: "transfer", driver: loop)
  }

  package func fetch(_ request: TransferRequest) async -> TransferOutcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.submit(CurlLoop.Submission(request: request, continuation: continuation))
        if !executor.isCurrentThread { loop.wake() }
      }
    } onCancel: {
      request.cancel.cancel()
      loop.wake()
    }
  }

  /// Cancels what runs, then ends the thread. What is fetched afterwards is cancelled at once as long as the thread is
  /// there, so nothing may be fetched afterwards.
  package func stop() {
    loop.requestStop { [executor] in executor.stop() }
  }
}
