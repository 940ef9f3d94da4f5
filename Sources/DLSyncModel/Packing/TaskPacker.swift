/// Puts recorded tasks together into blocks, in their order.
package struct TaskPacker {
  private var tasks: [StoredTask] = []
  // The block that is being filled.
  private var buffer = BlockBuffer()
  private var starts: [Int32] = []
  private var queues: [QueueName] = []
  private var entries: [EntryBlock] = []

  package init() {}

  /// Adds a task at the end. `entry` is the manifest's file of the same task: where both say the same, that is kept once.
  package mutating func append(_ draft: TaskDraft, queue: QueueName, _ texts: TaskTexts, entry: FileEntry? = nil) {
    if buffer.isFull { close() }
    starts.append(Int32(buffer.count))
    let shared = entry.flatMap { $0.has(texts) ? (block: place(of: $0.block), start: $0.start) : nil }
    TaskBlock.append(draft, queue: place(of: queue), texts, shared: shared, to: &buffer)
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
    let block = TaskBlock(buffer.contents, queues, entries)
    tasks.append(contentsOf: starts.lazy.map { StoredTask(block, at: Int($0)) })
    buffer.removeAll()
    starts.removeAll(keepingCapacity: true)
    queues.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }
}

extension FileEntry {
  /// Whether the entry says the same, byte for byte.
  fileprivate func has(_ texts: TaskTexts) -> Bool {
    guard hasPath(texts.destination) else { return false }
    var isSame = true
    lendURL { isSame = $0.hasSameBytes(as: texts.url) }
    if isSame { lendChecksums { isSame = $0.hasSameBytes(as: texts.checksums) } }
    return isSame
  }
}
