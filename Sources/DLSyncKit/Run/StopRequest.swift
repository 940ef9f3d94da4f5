internal import DLSyncThreading

/// Asks a run to stop: no new work, what runs is left resumable.
public final class StopRequest: Sendable {
  private struct State {
    var signal: Int32?
    var waiters: [UInt64: CheckedContinuation<Int32?, Never>] = [:]
    var lastWaiter: UInt64 = 0
  }

  private let state = Locked(State())
  /// The same request, for work that looks in between.
  let token = CancelToken()

  /// Nobody asked yet.
  public init() {}

  /// The signal that asked, or nil while nobody did.
  public var signal: Int32? { state.withLock { $0.signal } }

  /// Asks. Only the first call counts; it may come from any thread, but not from a signal handler.
  public func stop(signal: Int32) {
    let waiters = state.withLock { state -> [CheckedContinuation<Int32?, Never>] in
      guard state.signal == nil else { return [] }
      state.signal = signal
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    token.cancel()
    for waiter in waiters { waiter.resume(returning: signal) }
  }

  /// Waits until somebody asks; nil when the waiting task is cancelled first.
  func wait() async -> Int32? {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (signal, isKept) = state.withLock { state -> (Int32?, Bool) in
          if let signal = state.signal { return (signal, false) }
          if Task.isCancelled { return (nil, false) }
          state.waiters[id] = continuation
          return (nil, true)
        }
        if !isKept { continuation.resume(returning: signal) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.resume(returning: nil)
    }
  }
}
