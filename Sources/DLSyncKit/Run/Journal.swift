internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What is still to be written about running tasks. Steps short of publishing are not worth a commit each: they are
/// gathered and written together, five times a second at most, so that another terminal sees them.
struct Journal {
  private var pending: [TaskID: [TaskChange]] = [:]
  private var order: [TaskID] = []
  /// Whether something is pending that stays as it is for a while: other terminals should see it soon.
  var isUrgent = false
  /// When it was written out of turn.
  var hurriedAt = MonotonicInstant(nanoseconds: 0)

  var isEmpty: Bool { pending.isEmpty }

  mutating func add(_ change: TaskChange, for id: TaskID) {
    if pending[id] == nil { order.append(id) }
    pending[id, default: []].append(change)
  }

  /// What is pending of one task, to be written by whoever takes it.
  mutating func take(_ id: TaskID) -> [TaskChange] { pending.removeValue(forKey: id) ?? [] }

  /// Everything that is pending, in the order in which tasks first appeared.
  mutating func takeAll() -> [TaskChange] {
    defer {
      isUrgent = false
      pending.removeAll()
      order.removeAll()
    }
    // A task that somebody took and that came back stands there twice.
    return order.flatMap { pending.removeValue(forKey: $0) ?? [] }
  }
}
