internal import DLSyncThreading

/// Lets one in at a time, in the order of their coming, also across the suspension points of an actor.
final class Gate: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var next = 0
  }

  private let state = Locked(State())

  /// Waits for its turn. Every call is followed by one of `leave`.
  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken {
          state.waiting.append(continuation)
          return false
        }
        state.isTaken = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Enters where nobody is in; a call that answers true is followed by one of `leave`.
  func tryEnter() -> Bool {
    state.withLock { state in
      guard !state.isTaken else { return false }
      state.isTaken = true
      return true
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.next < state.waiting.count else {
        state.isTaken = false
        state.waiting.removeAll(keepingCapacity: true)
        state.next = 0
        return nil
      }
      defer { state.next += 1 }
      return state.waiting[state.next]
    }
    next?.resume()
  }
}
