/// What to do when the destination holds a file that dlsync does not own or that was changed since.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// Report a conflict and leave it alone.
  case fail
  /// Replace it.
  case replace
  /// Leave it alone and count it as done.
  case keep
}

/// Settings of a file that many files share; one object for all entries with the same ones.
public final class FileOptions: Sendable {
  /// Request headers, in the manifest's order.
  public let headers: [HeaderField]
  /// Mode bits below 0o1000, or nil for 0666 less the umask.
  public let permissions: UInt16?
  /// What to do with a file that is in the way.
  public let onConflict: ConflictPolicy

  /// Takes the settings.
  public init(headers: [HeaderField] = [], permissions: UInt16? = nil, onConflict: ConflictPolicy = .fail) {
    self.headers = headers
    self.permissions = permissions
    self.onConflict = onConflict
  }

  /// Whether a response to the same URL would be the same request: the headers, names without case.
  package func hasSameHeaders(as other: FileOptions) -> Bool {
    if self === other { return true }
    func canonical(_ fields: [HeaderField]) -> [HeaderField] {
      fields.map { HeaderField($0.name.lowercased(), $0.value) }.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }
    return canonical(headers) == canonical(other.headers)
  }
}

/// One file that should exist.
public struct FileEntry: Sendable {
  /// The task's identity.
  public let id: TaskID
  /// Where the bytes come from.
  public let url: SourceURL
  /// Where they should be.
  public let destination: Destination
  /// The queue that they travel through.
  public let queue: QueueName
  /// Digests that the bytes must have, all of them.
  public let checksums: [Digest]
  /// The length that they must have.
  public let size: ByteCount?
  /// 0 to 1; higher first, equal ones in the manifest's order.
  public let priority: Double
  /// The rest.
  public let options: FileOptions
  /// The entry's line in the manifest, counted from 1, and its column.
  public let line: Int32
  /// The column, counted from 1.
  public let column: Int32

  /// Takes every part; the id follows from scope, queue and destination.
  public init(
    scope: Scope, url: SourceURL, destination: Destination, queue: QueueName = .default, checksums: [Digest] = [],
    size: ByteCount? = nil, priority: Double = 0.5, options: FileOptions = FileOptions(), line: Int32 = 1,
    column: Int32 = 1
  ) {
    id = TaskID(scope: scope, queue: queue, destination: destination.path)
    self.url = url
    self.destination = destination
    self.queue = queue
    self.checksums = checksums
    self.size = size
    self.priority = priority
    self.options = options
    self.line = line
    self.column = column
  }
}
