import DLSyncTestSupport
import Testing

@testable import DLSyncModel

/// Values that are packed into blocks are what they were before.
@Suite struct PackingTests {
  private static let scope = Scope("packed")
  private static let seed: UInt64 = 20_261_130

  /// Entries with and without everything, short and far longer than a block.
  private static func entries(_ count: Int) -> [FileEntry] {
    var random = SeededGenerator(seed: seed)
    let shared = [FileOptions(), FileOptions(permissions: 0o640), FileOptions(headers: [HeaderField("A", "b")])]
    return (0..<count).map { index in
      let name = index % 997 == 5 ? String(repeating: "é", count: 40_000) : "d\(index % 7)/f\(index)"
      let digests = DigestAlgorithm.allCases.prefix(Int.random(in: 0...7, using: &random)).map { algorithm in
        Digest(algorithm, bytes: (0..<algorithm.length).map { _ in UInt8.random(in: .min ... .max, using: &random) })!
      }
      var own = FileSettings()
      own.tags = ["t\(index)"]
      return FileEntry(
        scope: scope, url: SourceURL(recorded: "https://h.example/\(index)?\(name)"),
        destination: destination(index.isMultiple(of: 3) ? "/abs/\(name)" : name),
        queue: QueueName(["default", "a queue with a long name", "c"].randomElement(using: &random)!),
        checksums: digests,
        size: Bool.random(using: &random) ? ByteCount(.random(in: 0 ... .max, using: &random)) : nil,
        priority: Bool.random(using: &random) ? .random(in: 0...1, using: &random) : 0.5,
        options: Int.random(in: 0...9, using: &random) == 0 ? FileOptions(own) : shared.randomElement(using: &random)!,
        line: Int32(index), column: 7)
    }
  }

  private static func destination(_ text: String) -> Destination {
    do { return try Destination(text, root: "/root") } catch { preconditionFailure("\(text): \(error)") }
  }

  @Test func entriesComeOutOfTheirBlocksAsTheyWentIn() {
    let entries = Self.entries(3000)
    var packer = EntryPacker()
    for entry in entries { packer.append(entry) }
    let packed = packer.finish()
    #expect(packed.count == entries.count)
    for (mine, other) in zip(packed, entries) {
      #expect(mine.id == other.id && mine.url == other.url && mine.destination == other.destination)
      #expect(mine.queue == other.queue && mine.checksums == other.checksums && mine.size == other.size)
      #expect(mine.priority == other.priority && mine.options === other.options)
      #expect(mine.line == other.line && mine.column == other.column)
      #expect(
        mine.urlBytes.elementsEqual(other.url.text.utf8) && mine.pathBytes.elementsEqual(other.destination.path.utf8))
      #expect(mine.rootByteCount == other.destination.rootByteCount && mine.hasChecksums == !other.checksums.isEmpty)
    }
  }

  @Test func anEmptyPackerAndOneThatWasEmptiedGiveNothing() {
    var packer = EntryPacker()
    #expect(packer.finish().isEmpty)
    packer.append(Self.entries(1)[0])
    #expect(packer.finish().count == 1)
    #expect(packer.finish().isEmpty)
  }

  @Test func aChangedCopyOfAPackedEntryLeavesItsNeighboursAlone() {
    var packer = EntryPacker()
    let entries = Self.entries(3)
    for entry in entries { packer.append(entry) }
    let packed = packer.finish()
    let pinned = packed[1].pinned(size: ByteCount(7), checksums: [])
    #expect(pinned.size == ByteCount(7) && pinned.checksums.isEmpty && pinned.url == entries[1].url)
    #expect(packed[1].checksums == entries[1].checksums && packed[2].id == entries[2].id)
  }

  @Test(arguments: [false, true]) func tasksComeOutOfTheirBlocksAsTheyWentIn(hasManifest: Bool) {
    var random = SeededGenerator(seed: Self.seed)
    var packer = TaskPacker()
    var expected: [StoredTask] = []
    for entry in Self.entries(2000) {
      func chance<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
      let isOther = Int.random(in: 0...9, using: &random) == 0
      let (published, intent) = (chance(Self.published(&random, entry)), chance(Self.published(&random, entry)))
      let task = StoredTask(
        id: entry.id, queue: entry.queue, destination: entry.destination.path,
        url: isOther ? "http://other/" : entry.url.text, state: TaskState.allCases.randomElement(using: &random)!,
        checksums: entry.checksums, priority: chance(0.75) ?? 0.5, published: published, intent: intent,
        confirmedBytes: chance(ByteCount(9)) ?? .zero, totalBytes: chance(ByteCount(.max)), listMark: chance(-3) ?? 0,
        checkedAt: chance(Timestamp(nanoseconds: 5)))
      #expect(task.published == published && task.intent == intent)
      expected.append(task)
      Self.pack(task, hasManifest ? entry : nil, &packer)
    }
    for (mine, other) in zip(packer.finish(), expected) {
      #expect(mine.id == other.id && mine.queue == other.queue && mine.state == other.state)
      #expect(mine.destination == other.destination && mine.url == other.url && mine.checksums == other.checksums)
      #expect(mine.priority == other.priority && mine.published == other.published && mine.intent == other.intent)
      #expect(mine.confirmedBytes == other.confirmedBytes && mine.totalBytes == other.totalBytes)
      #expect(mine.listMark == other.listMark && mine.checkedAt == other.checkedAt)
      #expect(mine.isPublished == (other.published != nil) && mine.publishedIdentity == other.published?.identity)
      #expect(mine.publishedAt == other.published?.recordedAt)
      #expect(Array(mine.fingerprintBytes) == other.published?.fingerprint.bytes ?? [])
    }
  }

  /// As the record hands a task on.
  private static func pack(_ task: StoredTask, _ entry: FileEntry?, _ packer: inout TaskPacker) {
    task.published.withRecorded { published in
      task.intent.withRecorded { intent in
        let draft = TaskDraft(
          id: task.id, state: task.state, priority: task.priority, published: published, intent: intent,
          confirmedBytes: task.confirmedBytes, totalBytes: task.totalBytes, listMark: task.listMark,
          checkedAt: task.checkedAt)
        task.destinationBytes.withUnsafeBytes { path in
          task.urlBytes.withUnsafeBytes { url in
            task.checksumBytes.withUnsafeBytes { checksums in
              let texts = TaskTexts(destination: path, url: url, checksums: checksums)
              packer.append(draft, queue: task.queue, texts, entry: entry)
            }
          }
        }
      }
    }
  }

  /// Half of them are known by their first checksum.
  private static func published(_ random: inout SeededGenerator, _ entry: FileEntry) -> PublishedFile {
    func number<Number: FixedWidthInteger>() -> Number { .random(in: .min ... .max, using: &random) }
    let other = Digest(.sha256, bytes: (0..<32).map { _ in number() })!
    return PublishedFile(
      fingerprint: (Bool.random(using: &random) ? entry.checksums.first : nil) ?? other,
      identity: FileIdentity(
        device: number(), inode: number(), size: number(), modified: number(), changed: number(), mode: number()),
      recordedAt: Timestamp(nanoseconds: number()))
  }

  @Test func aTaskIndexFindsFilesInAnyOrder() {
    let ids = (0..<500).map { TaskID(scope: Self.scope, queue: .default, destination: "/\($0)") }
    for order in [Array(ids.indices), ids.indices.reversed(), ids.indices.shuffled()] {
      var index = TaskIndex(count: ids.count)
      for file in order { #expect(index.file(of: ids[file], task: { ids[$0] }) == file) }
      #expect(index.file(of: TaskID(value: 1), task: { ids[$0] }) == nil)
    }
    var empty = TaskIndex(count: 0)
    #expect(empty.file(of: ids[0], task: { ids[$0] }) == nil)
  }
}
