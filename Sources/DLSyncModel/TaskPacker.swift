/// Puts recorded tasks together into blocks, in their order.
package struct TaskPacker {
  /// Bytes; a block ends when it has so many.
  private static let blockSize = 32 << 10

  private var tasks: [StoredTask] = []
  // The block that is being filled.
  private var bytes: [UInt8] = []
  private var starts: [Int32] = []
  private var queues: [QueueName] = []
  private var entries: [EntryBlock] = []

  package init() {}

  /// Adds a task at the end. `checksums` are as `PackedDigests` has them; `entry` is the manifest's file of the same task: where both say the same, that is kept once.
  package mutating func append(
    _ draft: TaskDraft, queue: QueueName, destination: UnsafeRawBufferPointer, url: UnsafeRawBufferPointer,
    checksums: [UInt8], entry: FileEntry? = nil
  ) {
    if bytes.count >= Self.blockSize { close() }
    if starts.isEmpty { bytes.reserveCapacity(Self.blockSize + Self.blockSize / 8) }
    starts.append(Int32(bytes.count))
    let texts = TaskBlock.Texts(destination: destination, url: url, checksums: checksums)
    let shared = entry.flatMap { $0.has(texts) ? (block: place(of: $0.block), start: $0.start) : nil }
    TaskBlock.append(draft, queue: place(of: queue), texts, shared: shared, to: &bytes)
  }

  /// All tasks.
  package mutating func finish() -> [StoredTask] {
    close()
    defer { tasks = [] }
    return tasks
  }

  /// A scope has few queues.
  private mutating func place(of queue: QueueName) -> Int {
    if let known = queues.firstIndex(of: queue) { return known }
    queues.append(queue)
    return queues.count - 1
  }

  /// Neighbours tend to be in one block.
  private mutating func place(of block: EntryBlock) -> Int {
    if entries.last !== block { entries.append(block) }
    return entries.count - 1
  }

  private mutating func close() {
    guard !starts.isEmpty else { return }
    // A copy has no room to spare.
    let block = TaskBlock(bytes.withUnsafeBufferPointer { Array($0) }, queues, entries)
    tasks.append(contentsOf: starts.lazy.map { StoredTask(block, at: Int($0)) })
    bytes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    queues.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }
}

extension FileEntry {
  /// Whether the entry says the same, byte for byte.
  fileprivate func has(_ texts: TaskBlock.Texts) -> Bool {
    pathBytes.hasSameBytes(as: texts.destination) && urlBytes.hasSameBytes(as: texts.url)
      && texts.checksums.withUnsafeBytes { checksumBytes.hasSameBytes(as: $0) }
  }
}
