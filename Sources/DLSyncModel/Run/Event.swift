/// What happens during a run, in the order in which it happens. A report is a fold over these.
public enum Event: Sendable {
  /// The plan is made; always the first.
  case planned(Plan)
  /// More files came into the run: they stand behind those that it has. Only in runs of the agent and of the library.
  case joined([FilePlan])
  /// A file went from one state to another, short of its end.
  case stateChanged(StateChange)
  /// A file goes on from bytes that an earlier run confirmed.
  case resumed(file: Int, offset: ByteCount, total: ByteCount?)
  /// A sample of a running file, at the queue's interval.
  case progress(file: Int, ProgressSample)
  /// A file is at its end for this run.
  case ended(FileOutcome)
  /// Something worth saying that fails nothing; `file` where it belongs to one.
  case warning(file: Int?, String)
  /// Records that were pruned, and what became of their files.
  case pruned([PrunedFile])
  /// The run is over; always the last.
  case finished(RunEnd)
}

/// One step of a file's life.
public struct StateChange: Sendable {
  /// The file, as an index into the plan.
  public let file: Int
  /// The state that it left.
  public let from: TaskState
  /// The state that it is in.
  public let to: TaskState
  /// Why, when it is trouble.
  public let error: DLSyncError?
  /// Seconds until the next attempt, when it waits for one.
  public let delay: Duration?

  /// Takes every part.
  public init(file: Int, from: TaskState, to: TaskState, error: DLSyncError? = nil, delay: Duration? = nil) {
    self.file = file
    self.from = from
    self.to = to
    self.error = error
    self.delay = delay
  }
}

/// How far a file is.
public struct ProgressSample: Hashable, Sendable {
  /// Bytes that are there.
  public let completed: ByteCount
  /// The resource's length, where it is known.
  public let total: ByteCount?
  /// Bytes a second over the last seconds.
  public let bytesPerSecond: Double?

  /// Takes a sample.
  public init(completed: ByteCount, total: ByteCount?, bytesPerSecond: Double?) {
    self.completed = completed
    self.total = total
    self.bytesPerSecond = bytesPerSecond
  }

  /// 0 to 1 where the total is known.
  public var fraction: Double? {
    total.map { $0.bytes == 0 ? 1 : Double(completed.bytes) / Double($0.bytes) }
  }

  /// Seconds left at the present speed.
  public var estimatedTimeRemaining: Double? {
    guard let total, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    return Double(max(0, total.bytes - completed.bytes)) / bytesPerSecond
  }
}

/// How a file ended in this run.
public struct FileOutcome: Sendable {
  /// The file, as an index into the plan.
  public let file: Int
  /// The state in which the run found it.
  public let from: TaskState
  /// `completed`, `failed`, `canceled`, `suspended`, `removed`, or `waiting` where the run was stopped.
  public let state: TaskState
  /// The file's size where it is known.
  public var bytes: ByteCount?
  /// Payload that travelled in this run.
  public var fetchedBytes = ByteCount.zero
  /// From the first attempt to the end.
  public var seconds: Double?
  /// Requests that were begun for it in this run.
  public var attempts = 0
  /// SHA-256 of the published file.
  public var fingerprint: Digest?
  /// Where redirects led, redacted.
  public var finalURL: String?
  /// The last HTTP status.
  public var statusCode: Int?
  /// What is worth saying though it failed nothing.
  public var warnings: [String] = []
  /// What went wrong.
  public var error: DLSyncError?
  /// Whether the file was handed to the agent: its end is not this run's.
  public var isHandedOver = false
  /// Whether it is the agent that brought the file to its end, and told its `notify` texts in its own way.
  public var isAgents = false

  /// Takes the beginning and the end; the rest is set where it is known.
  public init(file: Int, from: TaskState, state: TaskState) {
    self.file = file
    self.from = from
    self.state = state
  }
}

/// How the run as a whole ended.
public struct RunEnd: Sendable {
  /// Wall time of the execution.
  public let seconds: Double
  /// The signal that stopped it, if one did.
  public let signal: Int32?
  /// Trouble of the run itself, after which nothing more could be done.
  public let error: DLSyncError?
  /// Whether files of background queues were to be waited for, and no agent is at work on them any more.
  public let isAbandoned: Bool

  /// Takes every part.
  public init(seconds: Double, signal: Int32? = nil, error: DLSyncError? = nil, isAbandoned: Bool = false) {
    self.seconds = seconds
    self.signal = signal
    self.error = error
    self.isAbandoned = isAbandoned
  }
}
