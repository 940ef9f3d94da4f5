package import DLSyncThreading

/// Fetches one resource, or one range of it, into a sink. The real one is `CurlTransport`; tests script another.
package protocol Transport: Sendable {
  /// The thread that transfers run on. Whoever drives many transfers runs on it too, so that none costs a thread switch.
  var executor: ThreadExecutor { get }

  /// Runs a transfer to its end. Never throws: the outcome says everything, and there is exactly one.
  func fetch(_ request: TransferRequest) async -> TransferOutcome

  /// Gives up the connections and ends the thread. Nothing may be fetched afterwards.
  func stop()
}
