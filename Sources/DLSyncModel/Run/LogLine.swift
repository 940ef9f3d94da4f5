/// One line of the log: what happened, and when.
public struct LogLine: Sendable {
  /// What can happen.
  public enum Kind: String, CaseIterable, Sendable {
    /// A run began to work.
    case runBegun
    /// A run ended.
    case runFinished
    /// A task ended, for this time.
    case completed, failed, canceled, removed
  }

  /// Ascending.
  public var number: Int64
  /// When it was recorded.
  public var at: Timestamp
  /// What happened.
  public var kind: Kind
  /// The number of the line that told the run's beginning, where one is known.
  public var run: Int64?
  /// The manifest that it belongs to.
  public var scope: Scope
  /// Of a task: its queue.
  public var queue: QueueName?
  /// Of a task: its identity.
  public var task: TaskID?
  /// Of a task: an absolute path.
  public var destination: String?
  /// Of a task: redacted.
  public var url: String?
  /// Of a completed task: its size. Of a run: what it fetched.
  public var bytes: ByteCount?
  /// What went wrong.
  public var error: DLSyncError?
  /// Of a finished run.
  public var exitStatus: Int32?
  /// Numbers of a finished run: `downloaded`, `failed` and so on.
  public var facts: [(key: String, value: String)]

  /// A line of which nothing more is known.
  public init(number: Int64 = 0, at: Timestamp, kind: Kind, scope: Scope) {
    self.number = number
    self.at = at
    self.kind = kind
    self.scope = scope
    facts = []
  }
}
