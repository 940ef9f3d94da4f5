/// One file that should exist.
///
/// A million of them are some thousand blocks of bytes, no more: an entry is a place within one.
public struct FileEntry: Sendable {
  let block: EntryBlock
  // Half a word leaves room for another one behind it, wherever entries are kept.
  private let offset: Int32
  /// Where in the block's bytes it begins.
  var start: Int { Int(offset) }

  /// The task's identity.
  public var id: TaskID { TaskID(value: block.id(start)) }
  /// Where the bytes come from. Made anew at each look.
  public var url: SourceURL { SourceURL(recorded: String(decoding: urlBytes, as: UTF8.self)) }
  /// Where they should be. Made anew at each look.
  public var destination: Destination {
    Destination(path: String(decoding: pathBytes, as: UTF8.self), rootLength: block.rootLength(start))
  }
  /// The queue that they travel through.
  public var queue: QueueName { block.shape(start).queue }
  /// Digests that the bytes must have, all of them. Made anew at each look.
  public var checksums: [Digest] { PackedDigests.digests(checksumBytes) }
  /// The length that they must have.
  public var size: ByteCount? { block.size(start).map { ByteCount($0) } }
  /// 0 to 1; higher first, equal ones in the manifest's order.
  public var priority: Double { block.priority(start) }
  /// The rest.
  public var options: FileOptions { block.options(start) }
  /// The entry's line in the manifest, counted from 1, and its column.
  public var line: Int32 { block.line(start) }
  /// The column, counted from 1.
  public var column: Int32 { block.column(start) }

  /// Takes every part; the id follows from scope, queue and destination.
  public init(
    scope: Scope, url: SourceURL, destination: Destination, queue: QueueName = .default, checksums: [Digest] = [],
    size: ByteCount? = nil, priority: Double = 0.5, options: FileOptions = FileOptions(), line: Int32 = 1,
    column: Int32 = 1
  ) {
    self.init(
      EntryBlock(
        id: TaskID(scope: scope, queue: queue, destination: destination.path), url: url, destination: destination,
        shape: EntryShape(queue: queue, options: options, destination), checksums: checksums, size: size,
        priority: priority,
        line: line, column: column))
  }

  private init(
    _ other: FileEntry, id: TaskID? = nil, destination: Destination? = nil, checksums: [Digest]? = nil,
    size: ByteCount? = nil, options: FileOptions? = nil
  ) {
    let destination = destination ?? other.destination
    self.init(
      EntryBlock(
        id: id ?? other.id, url: other.url, destination: destination,
        shape: EntryShape(queue: other.queue, options: options ?? other.options, destination),
        checksums: checksums ?? other.checksums, size: size ?? other.size, priority: other.priority,
        line: other.line, column: other.column))
  }

  init(_ block: EntryBlock, at start: Int = 0) {
    self.block = block
    offset = Int32(start)
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
  package var urlBytes: ArraySlice<UInt8> { block.bytes[block.urlRange(start)] }

  /// The bytes of the destination's path. Made anew where it was written below a root.
  package var pathBytes: ArraySlice<UInt8> {
    let (folder, rest) = (block.shape(start).folder, block.bytes[block.pathRange(start)])
    return folder.isEmpty ? rest : (folder + rest)[...]
  }

  /// How many bytes of the path are the manifest's root; zero where it was written as a whole path.
  package var rootByteCount: Int { Int(block.rootLength(start)) }

  /// Whether there are any checksums.
  package var hasChecksums: Bool { !block.digestRange(start).isEmpty }

  /// The checksums as `PackedDigests` has them: equal ones are equal bytes.
  package var checksumBytes: ArraySlice<UInt8> { block.bytes[block.digestRange(start)] }

  /// Lends the bytes of the URL's text.
  package func lendURL(to body: (UnsafeRawBufferPointer) -> Void) { block.lend(block.urlRange(start), to: body) }

  /// Lends the bytes of the destination's path.
  package func lendPath(to body: (UnsafeRawBufferPointer) -> Void) { block.lendPath(start, to: body) }

  /// Lends the checksums as `PackedDigests` has them.
  package func lendChecksums(to body: (UnsafeRawBufferPointer) -> Void) {
    block.lend(block.digestRange(start), to: body)
  }

  /// Whether this is its destination's path, byte for byte.
  package func hasPath(_ path: UnsafeRawBufferPointer) -> Bool {
    block.pathLength(start) == path.count && block.pathBegins(start, with: path)
  }

  /// Whether its destination's path begins so.
  package func pathBegins(with text: UnsafeRawBufferPointer) -> Bool { block.pathBegins(start, with: text) }
}
