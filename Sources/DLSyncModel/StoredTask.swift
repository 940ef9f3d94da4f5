/// What the record says of one task, as far as planning needs it. Closely packed, like `FileEntry`: there may be a million.
public struct StoredTask: Sendable {
  // Few tasks have one.
  private final class Intent: Sendable {
    let file: PublishedFile
    init(_ file: PublishedFile) { self.file = file }
  }

  /// The task's identity.
  public let id: TaskID
  /// The queue that it was last planned in.
  public let queue: QueueName
  /// Where the task stands.
  public let state: TaskState
  /// 0 to 1.
  public let priority: Double
  /// The published file; nil where none was ever published.
  public let published: PublishedFile?
  private let intended: Intent?
  /// Bytes that a later attempt can build upon.
  public let confirmedBytes: ByteCount
  /// The resource's length where the server told it.
  public let totalBytes: ByteCount?
  /// `FileOptions.listMark` as last planned.
  public let listMark: Int64
  /// When a server last vouched for the published file.
  public let checkedAt: Timestamp?
  /// The destination, the URL, then the digests.
  private let bytes: [UInt8]
  private let urlStart: Int32
  private let digestStart: Int32

  /// Takes every part.
  public init(
    id: TaskID, queue: QueueName, destination: String, url: String, state: TaskState, checksums: [Digest] = [],
    priority: Double = 0.5, published: PublishedFile? = nil, intent: PublishedFile? = nil,
    confirmedBytes: ByteCount = .zero, totalBytes: ByteCount? = nil, listMark: Int64 = 0, checkedAt: Timestamp? = nil
  ) {
    self.id = id
    self.queue = queue
    self.state = state
    self.priority = priority
    self.published = published
    intended = intent.map(Intent.init)
    self.confirmedBytes = confirmedBytes
    self.totalBytes = totalBytes
    self.listMark = listMark
    self.checkedAt = checkedAt
    var bytes: [UInt8] = []
    bytes.reserveCapacity(destination.utf8.count + url.utf8.count + PackedDigests.count(checksums))
    bytes += destination.utf8
    urlStart = Int32(bytes.count)
    bytes += url.utf8
    digestStart = Int32(bytes.count)
    PackedDigests.append(checksums, to: &bytes)
    self.bytes = bytes
  }

  /// An absolute path. Made anew at each look.
  public var destination: String { String(decoding: destinationBytes, as: UTF8.self) }
  /// The URL as recorded, without its credentials. Made anew at each look.
  public var url: String { String(decoding: urlBytes, as: UTF8.self) }
  /// Digests that its bytes must have, as last planned. Made anew at each look.
  public var checksums: [Digest] { PackedDigests.digests(checksumBytes) }
  /// The file that was about to be published when the last word was written; settled by looking at the disk.
  public var intent: PublishedFile? { intended?.file }

  /// The bytes of the destination.
  package var destinationBytes: ArraySlice<UInt8> { bytes[..<Int(urlStart)] }
  /// The bytes of the URL.
  package var urlBytes: ArraySlice<UInt8> { bytes[Int(urlStart)..<Int(digestStart)] }
  /// The checksums as `PackedDigests` has them: equal ones are equal bytes.
  package var checksumBytes: ArraySlice<UInt8> { bytes[Int(digestStart)...] }
}
