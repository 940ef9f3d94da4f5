import DLSyncThreading
import Glibc

/// What the origin's threads share. They keep it alive; the `Origin` in front of it ends them.
final class OriginCore: Sendable {
  struct State {
    var routes: [String: Origin.Answer] = [:]
    var others: Origin.Answer = { _ in Script.status(404, "not here\n") }
    var requests: [RecordedRequest] = []
    var attempts: [String: Int] = [:]
    var live = 0
    var peak = 0
    var connectionCount = 0
    /// Descriptors of open connections. A connection leaves the set in the same step that closes it, so that `stop`
    /// never touches a number that belongs to somebody else by now.
    var open: Set<Int32> = []
    var isStopped = false
  }

  let state = Locked(State())
  let bodyBytes = Counter()
  private let listeners: [Int32]

  init(listeners: [Int32]) { self.listeners = listeners }

  func start() {
    for listener in listeners { TestThread.start { self.accept(on: listener) } }
  }

  func stop() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
      // The accepting threads wake up, see that it is over, and close the listeners themselves.
      for listener in listeners { shutdown(listener, Int32(SHUT_RDWR)) }
    }
  }

  private func accept(on listener: Int32) {
    defer { close(listener) }
    while true {
      Socket.waitForInput(listener)
      if state.withLock({ $0.isStopped }) { return }
      guard let descriptor = Socket.accept(listener) else { continue }
      let number = state.withLock { state -> Int? in
        guard !state.isStopped else { return nil }
        state.open.insert(descriptor)
        state.connectionCount += 1
        return state.connectionCount
      }
      guard let number else {
        close(descriptor)
        return
      }
      TestThread.start { OriginConnection(core: self, descriptor: descriptor, number: number).run() }
    }
  }

  /// Takes note of a request and finds its answer.
  func begin(
    method: String, target: String, version: String, headers: [(name: String, value: String)], connection: Int
  ) -> (RecordedRequest, Script) {
    func recorded(_ attempt: Int) -> RecordedRequest {
      RecordedRequest(
        method: method, target: target, version: version, headers: headers, time: .now, connection: connection,
        attempt: attempt)
    }
    let path = recorded(0).path
    let (request, answer) = state.withLock { state -> (RecordedRequest, Origin.Answer) in
      state.attempts[path, default: 0] += 1
      let request = recorded(state.attempts[path, default: 0])
      state.requests.append(request)
      state.live += 1
      state.peak = max(state.peak, state.live)
      return (request, state.routes[path] ?? state.routes[target] ?? state.others)
    }
    return (request, answer(request))
  }

  func end() { state.withLock { $0.live -= 1 } }

  /// Ends a connection: with a reset, or in order.
  func finish(_ descriptor: Int32, reset: Bool) {
    state.withLock { state in
      guard state.open.remove(descriptor) != nil else { return }
      if reset {
        Socket.resetOnClose(descriptor)
      } else {
        shutdown(descriptor, Int32(SHUT_RDWR))
      }
      close(descriptor)
    }
  }
}
