/// A task as recorded, for `status` and for programs.
public struct TaskSnapshot: Sendable {
  /// The task's identity.
  public var id: TaskID
  /// The manifest that it belongs to.
  public var scope: Scope
  /// Its queue.
  public var queue: QueueName
  /// Redacted.
  public var url: String
  /// Redacted; nil until a server answered.
  public var finalURL: String?
  /// An absolute path.
  public var destination: String
  /// Where it stands.
  public var state: TaskState
  /// 0 to 1; higher first.
  public var priority: Double
  /// Attempts of the last run.
  public var attempts: Int
  /// Bytes that are confirmed.
  public var completedBytes: ByteCount
  /// The resource's length, where it is known.
  public var totalBytes: ByteCount?
  /// Bytes a second, while it runs.
  public var bytesPerSecond: Double?
  /// Whether the agent goes on with it.
  package var isBackground = false
  /// Whether it is completed, and the agent is to ask its server for a newer version.
  package var isRefreshing = false
  /// How the agent left it when it had it last; nil while it has it, and where it never had.
  package var handed: HandedResult?
  /// How far it was when its process last told.
  package var lastSample: ProgressSample?
  /// The last HTTP status.
  public var statusCode: Int?
  /// Without those that carry secrets.
  public var responseHeaders: [HeaderField]
  /// When it was first planned.
  public var createdAt: Timestamp
  /// When its first attempt began.
  public var startedAt: Timestamp?
  /// When its record last changed.
  public var updatedAt: Timestamp
  /// When it came to its end.
  public var finishedAt: Timestamp?
  /// Nil until a server answered.
  public var isResumable: Bool?
  /// The unit that is confirmed.
  public var chunkSize: ByteCount?
  /// How many units are.
  public var confirmedChunks: Int?
  /// Digests that its bytes must have.
  public var checksums: [Digest]
  /// SHA-256 of the published file.
  public var fingerprint: Digest?
  /// What last went wrong.
  public var error: DLSyncError?

  /// A task of which nothing more is known.
  public init(
    id: TaskID, scope: Scope, queue: QueueName, url: String, destination: String, state: TaskState, createdAt: Timestamp
  ) {
    self.id = id
    self.scope = scope
    self.queue = queue
    self.url = url
    self.destination = destination
    self.state = state
    self.createdAt = createdAt
    updatedAt = createdAt
    priority = 0.5
    attempts = 0
    completedBytes = .zero
    responseHeaders = []
    checksums = []
  }
}

/// How the agent left a task that was handed over.
package struct HandedResult: Sendable {
  package let state: TaskState
  /// Payload bytes that travelled.
  package let fetched: ByteCount
  package let error: DLSyncError?

  package init(state: TaskState, fetched: ByteCount, error: DLSyncError?) {
    self.state = state
    self.fetched = fetched
    self.error = error
  }
}

/// A queue as recorded.
public struct QueueSnapshot: Sendable {
  /// Its name.
  public var name: QueueName
  /// The manifest that it belongs to.
  public var scope: Scope
  /// Canonical setting texts by key, in the order of `QueueConfiguration.settings`.
  public var settings: [(key: String, value: String)]
  /// The process that runs it.
  public var runningProcess: Int32?
  /// Its tasks, whatever their state.
  public var taskCount = 0
  /// Those that run.
  public var runningCount = 0
  /// Those that are completed.
  public var completedCount = 0
  /// Those that failed.
  public var failedCount = 0
  /// Those that were canceled.
  public var canceledCount = 0
  /// The sum of their lengths, where all are known.
  public var totalBytes: ByteCount?
  /// The sum of what is confirmed.
  public var completedBytes = ByteCount.zero
  /// Bytes a second of all that run.
  public var bytesPerSecond: Double?

  /// A queue of which nothing more is known.
  public init(name: QueueName, scope: Scope, settings: [(key: String, value: String)]) {
    self.name = name
    self.scope = scope
    self.settings = settings
  }
}

extension TaskSnapshot {
  /// How far it is.
  public var progress: ProgressSample {
    ProgressSample(completed: completedBytes, total: totalBytes, bytesPerSecond: bytesPerSecond)
  }
}

extension QueueSnapshot {
  /// How far all its tasks are together; nil where a length is unknown.
  public var progress: ProgressSample? {
    totalBytes.map { ProgressSample(completed: completedBytes, total: $0, bytesPerSecond: bytesPerSecond) }
  }
}
