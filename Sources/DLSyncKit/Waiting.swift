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
  /// Waits until no process is at work on the tasks any more: they are at their end, held back, or nobody runs them.
  /// `progress` is told now and then how they stand.
  public func wait(for selection: TaskSelection, stop: StopRequest) async throws(DLSyncError) -> WaitResult {
    while true {
      let snapshot = try await status(of: [])
      let match = selection.match(snapshot.tasks)
      var running: [Scope: Set<QueueName>] = [:]
      for queue in snapshot.queues where queue.runningProcess != nil {
        running[queue.scope, default: []].insert(queue.name)
      }
      let isMoving = match.tasks.contains { task in
        task.state.isOnItsWay && running[task.scope]?.contains(task.queue) == true
      }
      guard isMoving, stop.signal == nil else {
        return WaitResult(tasks: match.tasks, unknown: match.unknown, signal: stop.signal)
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
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
