/// What the disk shows of one file, enough to tell without reading it whether it is still the same.
public struct FileIdentity: Hashable, Sendable {
  /// The file system, by device number.
  public let device: UInt64
  /// The file within it.
  public let inode: UInt64
  /// Bytes.
  public let size: Int64
  /// Last change of the bytes, nanoseconds since 1970.
  public let modified: Int64
  /// Last change of bytes or attributes, nanoseconds since 1970.
  public let changed: Int64
  /// Permission bits, file type excluded.
  public let mode: UInt16

  /// Takes what `lstat` says.
  public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64, mode: UInt16) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
    self.mode = mode
  }

  /// The same bytes without doubt: everything but the permission bits agrees.
  package func isUntouched(since other: FileIdentity) -> Bool { isSameFile(as: other) && changed == other.changed }

  /// The same bytes in the same file, perhaps under another name: a move changes the change time alone.
  package func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode && size == other.size && modified == other.modified
  }
}

/// A file that dlsync published, as the record has it.
public struct PublishedFile: Hashable, Sendable {
  /// SHA-256 of the whole file.
  public let fingerprint: Digest
  /// What the disk showed right after publishing.
  public let identity: FileIdentity
  /// When that was looked at: a change within the clock's grain of this moment would not show.
  public let recordedAt: Timestamp

  /// Takes every part.
  public init(fingerprint: Digest, identity: FileIdentity, recordedAt: Timestamp) {
    self.fingerprint = fingerprint
    self.identity = identity
    self.recordedAt = recordedAt
  }

  /// The clock's grain: two changes closer than this may carry one time stamp (a tick of the slowest usual kernel).
  package static let clockGrain: Int64 = 10_000_000

  /// Whether the file was changed so shortly before the record that a later change could hide.
  package var isDoubtful: Bool { Self.isDoubtful(identity, recordedAt) }

  /// The same, from the parts.
  package static func isDoubtful(_ identity: FileIdentity, _ recordedAt: Timestamp) -> Bool {
    // A record may hold any moment. One that is further back than time goes back proves nothing.
    let (latest, overflow) = recordedAt.nanoseconds.subtractingReportingOverflow(clockGrain)
    return overflow || identity.changed > latest
  }
}

/// What the record says of one queue.
public struct StoredQueue: Sendable {
  /// Its name within the scope.
  public let name: QueueName
  /// `QueueConfiguration.settings` as last applied.
  public let settings: [String: String]
  /// The process that runs the queue right now, if any.
  public let runningProcess: Int32?

  /// Takes every part.
  public init(name: QueueName, settings: [String: String], runningProcess: Int32?) {
    self.name = name
    self.settings = settings
    self.runningProcess = runningProcess
  }
}

/// Everything that the record says and planning needs. Empty where nothing was ever recorded.
public struct StoredState: Sendable {
  /// The scope's tasks.
  public var tasks: [StoredTask]
  /// The scope's queues.
  public var queues: [StoredQueue]
  /// Destinations that tasks of other scopes claim, and by whom.
  public var foreignClaims: [BytewiseText: Scope]

  /// Takes every part.
  public init(tasks: [StoredTask] = [], queues: [StoredQueue] = [], foreignClaims: [BytewiseText: Scope] = [:]) {
    self.tasks = tasks
    self.queues = queues
    self.foreignClaims = foreignClaims
  }
}
