/// One file that should exist.
///
/// A million of them are a million objects and texts, no more: URL, destination and digests lie in one array of bytes, and a
/// copy of an entry is one reference.
public struct FileEntry: Sendable {
  private let content: Content

  /// The task's identity.
  public var id: TaskID { content.id }
  /// Where the bytes come from. Made anew at each look.
  public var url: SourceURL { SourceURL(recorded: String(decoding: urlBytes, as: UTF8.self)) }
  /// Where they should be. Made anew at each look.
  public var destination: Destination {
    Destination(path: String(decoding: pathBytes, as: UTF8.self), rootLength: content.rootLength)
  }
  /// The queue that they travel through.
  public var queue: QueueName { content.queue }
  /// Digests that the bytes must have, all of them. Made anew at each look.
  public var checksums: [Digest] { PackedDigests.digests(checksumBytes) }
  /// The length that they must have.
  public var size: ByteCount? { content.size < 0 ? nil : ByteCount(content.size) }
  /// 0 to 1; higher first, equal ones in the manifest's order.
  public var priority: Double { content.priority }
  /// The rest.
  public var options: FileOptions { content.options }
  /// The entry's line in the manifest, counted from 1, and its column.
  public var line: Int32 { content.line }
  /// The column, counted from 1.
  public var column: Int32 { content.column }

  /// Takes every part; the id follows from scope, queue and destination.
  public init(
    scope: Scope, url: SourceURL, destination: Destination, queue: QueueName = .default, checksums: [Digest] = [],
    size: ByteCount? = nil, priority: Double = 0.5, options: FileOptions = FileOptions(), line: Int32 = 1,
    column: Int32 = 1
  ) {
    content = Content(
      id: TaskID(scope: scope, queue: queue, destination: destination.path), url: url, destination: destination,
      queue: queue, checksums: checksums, size: size, priority: priority, options: options, line: line, column: column)
  }

  private init(
    _ other: FileEntry, id: TaskID? = nil, destination: Destination? = nil, checksums: [Digest]? = nil,
    size: ByteCount? = nil, options: FileOptions? = nil
  ) {
    content = Content(
      id: id ?? other.id, url: other.url, destination: destination ?? other.destination, queue: other.queue,
      checksums: checksums ?? other.checksums, size: size ?? other.size, priority: other.priority,
      options: options ?? other.options, line: other.line, column: other.column)
  }
}

extension FileEntry {
  /// The same file, asked for with other headers.
  package func withHeaders(_ headers: [HeaderField]) -> FileEntry {
    var settings = options.settings
    settings.headers = headers
    return FileEntry(self, options: FileOptions(settings))
  }

  /// The same file with other checksums and settings.
  package func replacing(checksums: [Digest], options: FileOptions) -> FileEntry {
    FileEntry(self, checksums: checksums, options: options)
  }

  /// The same file, known to be of this length and to have these digests.
  package func pinned(size: ByteCount, checksums: [Digest]) -> FileEntry {
    FileEntry(self, checksums: checksums, size: size)
  }

  /// The same file for another place in another manifest; its id follows.
  package func moved(to destination: Destination, scope: Scope) -> FileEntry {
    FileEntry(
      self, id: TaskID(scope: scope, queue: queue, destination: destination.path), destination: destination)
  }
}

// Looks that cost no text, for whoever goes through a million entries.
extension FileEntry {
  /// The bytes of the URL's text.
  package var urlBytes: ArraySlice<UInt8> { content.bytes[..<content.pathStart] }

  /// The bytes of the destination's path.
  package var pathBytes: ArraySlice<UInt8> { content.bytes[content.pathStart..<content.digestStart] }

  /// Whether there are any checksums.
  package var hasChecksums: Bool { content.digestStart < content.bytes.count }

  /// The checksums as `PackedDigests` has them: equal ones are equal bytes.
  package var checksumBytes: ArraySlice<UInt8> { content.bytes[content.digestStart...] }

  /// Hands every digest on: its algorithm and its bytes.
  package func forEachChecksum(_ body: (DigestAlgorithm, ArraySlice<UInt8>) -> Void) {
    PackedDigests.forEach(checksumBytes, body)
  }
}

/// What an entry says, closely packed.
private final class Content: Sendable {
  let id: TaskID
  let queue: QueueName
  /// -1 for none.
  let size: Int64
  let priority: Double
  let options: FileOptions
  let line: Int32
  let column: Int32
  /// Where in `bytes` the destination's path begins, and where the digests do.
  private let bounds: (path: Int32, digests: Int32)
  let rootLength: Int32
  /// The URL, the destination's path, then for each digest the number of its algorithm and its bytes.
  let bytes: [UInt8]

  init(
    id: TaskID, url: SourceURL, destination: Destination, queue: QueueName, checksums: [Digest], size: ByteCount?,
    priority: Double, options: FileOptions, line: Int32, column: Int32
  ) {
    self.id = id
    self.queue = queue
    self.size = size?.bytes ?? -1
    self.priority = priority
    self.options = options
    self.line = line
    self.column = column
    let (urlText, path) = (url.text.utf8, destination.path.utf8)
    bounds = (Int32(urlText.count), Int32(urlText.count + path.count))
    rootLength = Int32(destination.rootByteCount)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(urlText.count + path.count + PackedDigests.count(checksums))
    bytes += urlText
    bytes += path
    PackedDigests.append(checksums, to: &bytes)
    self.bytes = bytes
  }

  var pathStart: Int { Int(bounds.path) }
  var digestStart: Int { Int(bounds.digests) }
}
