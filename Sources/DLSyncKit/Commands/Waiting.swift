internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What waiting for tasks came to.
public struct WaitResult: Sendable {
  /// The tasks that were waited for.
  public let tasks: [TaskSnapshot]
  /// Names that no task answers to.
  public let unknown: [String]
  /// The signal that ended the waiting, if one did.
  public let signal: Int32?

  /// 0 where every task is completed.
  public var exitStatus: Int32 {
    if let signal { return 128 + signal }
    return unknown.isEmpty && tasks.allSatisfy { $0.state == .completed } ? 0 : 1
  }
}

extension Workspace {
  /// Waits until no process is at work on the tasks any more: they are at their end, held back, or nobody runs them. The
  /// agent is started where it should be at work.
  public func wait(for selection: TaskSelection, stop: StopRequest) async throws(DLSyncError) -> WaitResult {
    // An agent that does not come is not waited for.
    var lastServed = MonotonicInstant.now
    var watch = RecordWatch(stateFolder: stateFolder)
    var snapshot = StatusSnapshot()
    var match = selection.match([])
    // Whether the record was read after the last process was gone: how its work ended was recorded before that.
    var isLast = false
    while true {
      let now = MonotonicInstant.now
      if isLast || watch.isDue(now) {
        snapshot = try await status(of: [])
        match = selection.match(snapshot.tasks)
        watch.hasLooked(since: now, .now)
      } else {
        // Who was killed wrote nothing.
        findHolders(of: &snapshot.queues)
      }
      let isMoving = Self.isMoving(match.tasks, snapshot.queues, isServed: agentIsAtWork(&lastServed))
      if stop.signal != nil || !isMoving && isLast {
        return WaitResult(tasks: match.tasks, unknown: match.unknown, signal: stop.signal)
      }
      isLast = !isMoving
      if isMoving { try? await Task.sleep(for: .milliseconds(100)) }
    }
  }

  private static func isMoving(_ tasks: [TaskSnapshot], _ queues: [QueueSnapshot], isServed: Bool) -> Bool {
    let running = running(queues)
    return tasks.contains { task in
      guard task.state.isOnItsWay || task.isRefreshing else { return false }
      return running[task.scope]?.contains(task.queue) == true || task.isBackground && isServed
    }
  }

  /// Whether an agent is at work, or one may still come.
  func agentIsAtWork(_ lastServed: inout MonotonicInstant) -> Bool {
    guard isServed else { return false }
    if hasAgent { lastServed = .now }
    return MonotonicInstant.now.seconds(since: lastServed) < 10
  }

  private static func running(_ queues: [QueueSnapshot]) -> [Scope: Set<QueueName>] {
    var running: [Scope: Set<QueueName>] = [:]
    for queue in queues where queue.runningProcess != nil { running[queue.scope, default: []].insert(queue.name) }
    return running
  }
}

extension TaskState {
  /// Whether a process is, or will be, at work on it.
  var isOnItsWay: Bool {
    switch self {
    case .waiting, .running, .retrying, .verifying, .publishing: true
    case .suspended, .completed, .failed, .canceled, .removed: false
    }
  }
}
