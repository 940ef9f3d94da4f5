/// Packs entries that are as most of a million are: a URL and a destination that need no change, digests or none, and all
/// else alike. They go from the bytes as they are written to the bytes that are kept, without a value for each part.
package struct UsualEntries {
  private let shape: EntryShape
  private let size: ByteCount?
  private let priority: Double
  /// Of what an id is made of, everything that stands before the destination's own text.
  private let hash: StableHash

  /// `root` is an absolute path; the rest is what all of them have.
  package init(
    scope: Scope, root: String, queue: QueueName, options: FileOptions, size: ByteCount?, priority: Double
  ) {
    let folder = Array((root == "/" ? "/" : root + "/").utf8)
    shape = EntryShape(queue: queue, options: options, rootLength: Int32(root.utf8.count), folder: folder)
    self.size = size
    self.priority = priority
    hash = TaskID.hash(scope, queue, beginning: folder)
  }

  /// Packs an entry whose texts are what they look like (`digests` as `PackedDigests` has them). False, with nothing done,
  /// where one of them is for `SourceURL` and `Destination` to judge; where none is, they would give the same.
  package func pack(
    url: UnsafeRawBufferPointer, destination: UnsafeRawBufferPointer, digests: UnsafeRawBufferPointer,
    line: Int32, column: Int32, into packer: inout EntryPacker
  ) -> Bool {
    guard SourceURL.isPlain(url.bindMemory(to: UInt8.self)), Destination.isPlain(destination) else { return false }
    var hash = hash
    hash.combine(destination)
    let draft = EntryDraft(
      id: TaskID(hash), url: url, path: destination, digests: digests, size: size, priority: priority, line: line,
      column: column)
    packer.append(draft, shape)
    return true
  }
}
