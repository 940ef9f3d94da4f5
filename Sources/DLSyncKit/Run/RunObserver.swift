public import DLSyncModel

/// Who wants to know what happens during a run.
public protocol RunObserver: Sendable {
  /// Takes events in their order, in batches, never two calls at once, on a thread that nothing else waits for.
  func receive(_ events: [Event])
}
