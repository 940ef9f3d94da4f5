/// What the record says of one task, as far as planning needs it. Closely packed, like `FileEntry`: there may be a million.
public struct StoredTask: Sendable {
  let block: TaskBlock
  private let offset: Int32
  /// Where in the block's bytes it begins.
  var start: Int { Int(offset) }

  /// Takes every part.
  public init(
    id: TaskID, queue: QueueName, destination: String, url: String, state: TaskState, checksums: [Digest] = [],
    priority: Double = 0.5, published: PublishedFile? = nil, intent: PublishedFile? = nil,
    confirmedBytes: ByteCount = .zero, totalBytes: ByteCount? = nil, listMark: Int64 = 0, checkedAt: Timestamp? = nil
  ) {
    var (destination, url) = (destination, url)
    var digests: [UInt8] = []
    PackedDigests.append(checksums, to: &digests)
    block = published.withRecorded { published in
      intent.withRecorded { intent in
        destination.withUTF8 { destination in
          url.withUTF8 { url in
            digests.withUnsafeBytes { digests in
              TaskBlock(
                TaskDraft(
                  id: id, state: state, priority: priority, published: published, intent: intent,
                  confirmedBytes: confirmedBytes, totalBytes: totalBytes, listMark: listMark, checkedAt: checkedAt),
                queue: queue,
                TaskTexts(
                  destination: UnsafeRawBufferPointer(destination), url: UnsafeRawBufferPointer(url),
                  checksums: digests))
            }
          }
        }
      }
    }
    offset = 0
  }

  init(_ block: TaskBlock, at start: Int) {
    self.block = block
    offset = Int32(start)
  }

  /// The task's identity.
  public var id: TaskID { TaskID(value: block.id(start)) }
  /// The queue that it was last planned in.
  public var queue: QueueName { block.queue(start) }
  /// Where the task stands.
  public var state: TaskState { block.state(start) }
  /// 0 to 1.
  public var priority: Double {
    block.number(.priority, start).map { Double(bitPattern: UInt64(bitPattern: $0)) } ?? 0.5
  }
  /// The published file; nil where none was ever published. Made anew at each look.
  public var published: PublishedFile? { block.published(start) }
  /// The file that was about to be published when the last word was written; settled by looking at the disk.
  public var intent: PublishedFile? { block.intent(start) }
  /// Bytes that a later attempt can build upon.
  public var confirmedBytes: ByteCount { ByteCount(block.number(.confirmed, start) ?? 0) }
  /// The resource's length where the server told it.
  public var totalBytes: ByteCount? { block.number(.total, start).map { ByteCount($0) } }
  /// `FileOptions.listMark` as last planned.
  public var listMark: Int64 { block.number(.listMark, start) ?? 0 }
  /// When a server last vouched for the published file.
  public var checkedAt: Timestamp? { block.number(.checkedAt, start).map { Timestamp(nanoseconds: $0) } }
  /// An absolute path. Made anew at each look.
  public var destination: String { String(decoding: destinationBytes, as: UTF8.self) }
  /// The URL as recorded, without its credentials. Made anew at each look.
  public var url: String { String(decoding: urlBytes, as: UTF8.self) }
  /// Digests that its bytes must have, as last planned. Made anew at each look.
  public var checksums: [Digest] { PackedDigests.digests(checksumBytes) }
}

// Looks that make nothing, for whoever goes through a million tasks.
extension StoredTask {
  /// The bytes of the destination.
  package var destinationBytes: ArraySlice<UInt8> { block.destination(start) }
  /// The bytes of the URL.
  package var urlBytes: ArraySlice<UInt8> { block.url(start) }
  /// The checksums as `PackedDigests` has them: equal ones are equal bytes.
  package var checksumBytes: ArraySlice<UInt8> { block.digests(start) }
  /// Whether destination, URL and checksums are known to be the entry's without a comparison.
  package func isKnownToMatch(_ entry: FileEntry) -> Bool { block.isShared(start, with: entry) }
  /// Whether it is completed, and this is without doubt the file that was published then.
  package func isFinished(as identity: FileIdentity) -> Bool {
    guard state == .completed, let known = block.publishedIdentity(start), let at = block.publishedAt(start) else {
      return false
    }
    return identity.isUntouched(since: known) && !PublishedFile.isDoubtful(known, at)
  }
  /// Whether anything was ever published.
  package var isPublished: Bool { block.hasPublished(start) }
  /// What the disk showed of the published file.
  package var publishedIdentity: FileIdentity? { block.publishedIdentity(start) }
  /// When that was looked at.
  package var publishedAt: Timestamp? { block.publishedAt(start) }
  /// The bytes of the published file's fingerprint, SHA-256; empty for none.
  package var fingerprintBytes: ArraySlice<UInt8> { block.fingerprint(start) }
}
