/// Continuations that wait for moments, the nearest first. A value; the executor guards it.
struct TimerQueue {
  typealias ID = UInt64

  private struct Timer {
    let id: ID
    let deadline: MonotonicInstant
    let continuation: CheckedContinuation<Void, Never>
  }

  private var lastID: ID = 0
  /// Ascending by deadline. Few timers wait at once (one for each waiting file), so an array beats a heap.
  private var timers: [Timer] = []
  /// Cancelled before they were added: cancellation can overtake the start.
  private var cancelledEarly: Set<ID> = []
  private var pending: Set<ID> = []

  var isEmpty: Bool { timers.isEmpty }
  var next: MonotonicInstant? { timers.first?.deadline }

  mutating func makeID() -> ID {
    lastID += 1
    pending.insert(lastID)
    return lastID
  }

  /// False when it was cancelled already; the caller resumes then.
  mutating func add(_ id: ID, _ deadline: MonotonicInstant, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
    pending.remove(id)
    guard cancelledEarly.remove(id) == nil else { return false }
    let index = timers.firstIndex { $0.deadline > deadline } ?? timers.endIndex
    timers.insert(Timer(id: id, deadline: deadline, continuation: continuation), at: index)
    return true
  }

  mutating func cancel(_ id: ID) -> CheckedContinuation<Void, Never>? {
    if let index = timers.firstIndex(where: { $0.id == id }) { return timers.remove(at: index).continuation }
    if pending.contains(id) { cancelledEarly.insert(id) }
    return nil
  }

  mutating func takeDue(_ now: MonotonicInstant) -> [CheckedContinuation<Void, Never>] {
    let count = timers.firstIndex { $0.deadline > now } ?? timers.count
    defer { timers.removeFirst(count) }
    return timers.prefix(count).map(\.continuation)
  }
}
