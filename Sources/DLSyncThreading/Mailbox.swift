/// Carries values from any thread to one task, in order. What comes while the receiver is at work waits for it together, so
/// that one wake-up serves many.
package final class Mailbox<Value: Sendable>: Sendable {
  private struct Content {
    var values: [Value] = []
    var isFinished = false
    var receiver: CheckedContinuation<Void, Never>?
  }

  private let content = Locked(Content())

  package init() {}

  /// Takes a value and returns at once.
  package func send(_ value: Value) {
    let receiver = content.withLock { content in
      content.values.append(value)
      return content.receiver.take()
    }
    receiver?.resume()
  }

  /// Takes values and returns at once.
  package func send(contentsOf values: [Value]) {
    guard !values.isEmpty else { return }
    let receiver = content.withLock { content in
      content.values += values
      return content.receiver.take()
    }
    receiver?.resume()
  }

  /// No value comes after this.
  package func finish() {
    let receiver = content.withLock { content in
      content.isFinished = true
      return content.receiver.take()
    }
    receiver?.resume()
  }

  /// What is there now; waits for nothing.
  package func take() -> [Value] {
    content.withLock { content in
      defer { content.values = [] }
      return content.values
    }
  }

  /// Whether no value comes any more.
  package var isFinished: Bool { content.withLock { $0.isFinished } }

  /// Waits until there is something to take; false after `finish` when nothing is left. One receiver at a time.
  package func wait() async -> Bool {
    await withCheckedContinuation { continuation in
      let isReady = content.withLock { content in
        if !content.values.isEmpty || content.isFinished { return true }
        content.receiver = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    return content.withLock { !$0.values.isEmpty }
  }

  /// Waits until there is something, and takes all of it; nil after `finish` when nothing is left. One receiver at a time.
  package func receive() async -> [Value]? { await wait() ? take() : nil }
}
