internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncStore

/// Who prints what the agent does, and runs what is to be run at a queue's end.
public protocol AgentListener: Sendable {
  /// Who is told what happens in a run that begins.
  func observer(of scope: Scope, _ queue: QueueName) -> any RunObserver
  /// A queue does not get on, though its files might: the record or a disk refuses. It is tried again later.
  func queueStoodStill(scope: Scope, _ queue: QueueName, _ error: DLSyncError)
  /// All work of a queue has ended. Answers whether the command for that moment has come to its end, or nobody will run it:
  /// otherwise the next agent tells the end again, without the texts.
  func queueEnded(_ end: QueueEnd) async -> Bool
  /// The file that the agent prints to has another name now.
  func logWasMoved()
}

/// The end of all work of a background queue.
public struct QueueEnd: Sendable {
  /// What was done.
  public let report: Report
  /// The manifest that it belongs to.
  public let scope: Scope
  /// The queue.
  public let queue: QueueName
  /// The user's command for this moment.
  public let command: String?
  /// The manifest's texts for this moment.
  public let notify: NotificationTexts?

  init(_ end: OwedEnd) {
    report = Report(end)
    scope = end.queue.scope
    queue = end.queue.declaration.name
    command = end.queue.hook.command
    notify = end.queue.hook.notify
  }
}

/// What is known of the agent.
public struct AgentStatus: Sendable {
  /// Its process, or nil when none runs.
  public let process: Int32?
  /// Whether it was stopped, and starts again only on request.
  public let isStopped: Bool
  /// Whether there is something to do for it.
  public let hasWork: Bool
  /// The file that it prints to.
  public let log: String
}
