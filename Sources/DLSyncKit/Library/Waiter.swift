internal import DLSyncModel
internal import DLSyncThreading

/// Someone who waits for the end of a task.
final class Waiter: Sendable {
  /// Why the waiting was interrupted.
  enum Call: Sendable {
    /// The task came to an end, or the last of the queue; it may have been released again since.
    case ended
    /// The queue cannot be run.
    case failed(DLSyncError)
    /// The queue was closed.
    case closed
    /// The Swift task that waits was cancelled.
    case cancelled
  }

  private struct State {
    var call: Call?
    var continuation: CheckedContinuation<Call, Never>?
  }

  /// Nil for all tasks of the queue.
  let task: TaskID?
  private let state = Locked(State())

  init(_ task: TaskID?) { self.task = task }

  /// The first call since the last time.
  func next() async -> Call {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let call = state.withLock { state -> Call? in
          defer { state.call = nil }
          if let call = state.call { return call }
          if Task.isCancelled { return .cancelled }
          state.continuation = continuation
          return nil
        }
        if let call { continuation.resume(returning: call) }
      }
    } onCancel: {
      wake(.cancelled)
    }
  }

  func wake(_ call: Call) {
    let continuation = state.withLock { state -> CheckedContinuation<Call, Never>? in
      guard let continuation = state.continuation else {
        state.call = call
        return nil
      }
      state.continuation = nil
      return continuation
    }
    continuation?.resume(returning: call)
  }
}
