/// A task as recorded, for `status` and for programs.
public struct TaskSnapshot: Sendable {
  public var id: TaskID
  public var scope: Scope
  public var queue: QueueName
  /// Redacted.
  public var url: String
  /// Redacted; nil until a server answered.
  public var finalURL: String?
  public var destination: String
  public var state: TaskState
  public var priority: Double
  public var attempts: Int
  public var completedBytes: ByteCount
  public var totalBytes: ByteCount?
  public var statusCode: Int?
  /// Without those that carry secrets.
  public var responseHeaders: [HeaderField]
  public var createdAt: Timestamp
  public var startedAt: Timestamp?
  public var updatedAt: Timestamp
  public var finishedAt: Timestamp?
  /// Nil until a server answered.
  public var isResumable: Bool?
  public var chunkSize: ByteCount?
  public var confirmedChunks: Int?
  public var checksums: [Digest]
  /// SHA-256 of the published file.
  public var fingerprint: Digest?
  public var error: DLSyncError?

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

/// A queue as recorded.
public struct QueueSnapshot: Sendable {
  public var name: QueueName
  public var scope: Scope
  /// Canonical setting texts by key, in the order of `QueueConfiguration.settings`.
  public var settings: [(key: String, value: String)]
  /// The process that runs it.
  public var runningProcess: Int32?
  public var taskCount = 0
  public var runningCount = 0
  public var completedCount = 0
  public var failedCount = 0
  public var canceledCount = 0
  public var totalBytes: ByteCount?
  public var completedBytes = ByteCount.zero

  public init(name: QueueName, scope: Scope, settings: [(key: String, value: String)]) {
    self.name = name
    self.scope = scope
    self.settings = settings
  }
}
