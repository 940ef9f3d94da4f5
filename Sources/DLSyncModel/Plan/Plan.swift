/// What becomes of one queue's record.
public struct QueuePlan: Sendable {
  /// What is done with the record.
  public enum Action: String, Sendable {
    /// It is new.
    case create
    /// Some settings change.
    case update
    /// Nothing.
    case unchanged
    /// Settings differ that may not change while the queue is running.
    case conflict
  }
  /// The queue as the manifest declares it.
  public let declaration: QueueDeclaration
  /// What becomes of its record.
  public let action: Action
  /// The keys that change.
  public let changes: [String]

  /// Takes every part.
  public init(declaration: QueueDeclaration, action: Action, changes: [String] = []) {
    self.declaration = declaration
    self.action = action
    self.changes = changes
  }
}

/// A record that the manifest no longer names.
public struct Orphan: Hashable, Sendable {
  /// The task's identity.
  public let id: TaskID
  /// An absolute path.
  public let destination: String
  /// Redacted.
  public let url: String
  /// The queue that it was last planned in.
  public let queue: QueueName
  /// What dlsync put there, as far as that is recorded: the last file that it published, and one that it was about to.
  public let published: [PublishedFile]

  /// Takes every part.
  public init(
    id: TaskID, destination: String, url: String, queue: QueueName = .default, published: [PublishedFile] = []
  ) {
    self.id = id
    self.destination = destination
    self.url = url
    self.queue = queue
    self.published = published
  }
}

/// What apply would do: a value in a deterministic order, from which one execution is made.
public struct Plan: Sendable {
  /// The manifest's identity.
  public let scope: Scope
  /// The manifest as the user named it.
  public let source: String
  /// The declared queues, in the manifest's order.
  public let queues: [QueuePlan]
  /// In the manifest's order.
  public private(set) var files: [FilePlan]
  /// Ordered by destination.
  public let orphans: [Orphan]
  /// Sentences for people: free space that is short.
  public let warnings: [String]
  /// The plan in numbers.
  public private(set) var summary: PlanSummary

  /// Takes every part; the summary follows.
  public init(
    scope: Scope, source: String, queues: [QueuePlan], files: [FilePlan], orphans: [Orphan], warnings: [String] = []
  ) {
    self.scope = scope
    self.source = source
    self.queues = queues
    self.files = files
    self.orphans = orphans
    self.warnings = warnings
    summary = PlanSummary(files)
  }
}

extension Plan {
  /// Puts more files at the end. What they are copied from is told by places in this plan.
  package mutating func append(_ more: [FilePlan]) {
    files += more
    summary.add(more)
  }
}

/// The plan in numbers.
public struct PlanSummary: Hashable, Sendable {
  /// Files.
  public private(set) var total = 0
  /// Files to be fetched.
  public private(set) var download = 0
  /// Files that are right already, or are copied.
  public private(set) var reuse = 0
  /// Files that stand against a decision of the user.
  public private(set) var conflict = 0
  /// Files held back by request.
  public private(set) var held = 0
  /// The sum of what is known to be fetched.
  public private(set) var downloadBytes = ByteCount.zero

  init(_ files: [FilePlan]) { add(files) }

  mutating func add(_ files: [FilePlan]) {
    total += files.count
    for file in files {
      switch (file.action, file.isHeld) {
      case (_, true): held += 1
      case (.download, _):
        download += 1
        if let bytes = file.bytes { downloadBytes = downloadBytes.adding(bytes) }
      case (.reuse, _): reuse += 1
      case (.conflict, _): conflict += 1
      }
    }
  }
}
