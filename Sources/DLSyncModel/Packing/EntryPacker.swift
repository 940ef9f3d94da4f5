/// Puts entries together into blocks, so that many of them cost little more than their texts. What goes in comes out in the
/// same order.
package struct EntryPacker {
  /// How many shapes are looked at: settings tend to be those of an entry shortly before.
  private static let shapesLookedAt = 4

  private var files: [FileEntry] = []
  // The block that is being filled.
  private var buffer = BlockBuffer()
  private var starts: [Int32] = []
  private var shapes: [EntryShape] = []

  package init() {}

  /// How many entries were added.
  package var count: Int { files.count + starts.count }

  /// Adds an entry at the end.
  package mutating func append(_ entry: FileEntry) {
    let (block, start) = (entry.block, entry.start)
    let shape = begin(block.shape(start))
    buffer.append(block.range(start).count) { block.write(start, shape: shape, to: &$0) }
  }

  /// The same for one that is no entry yet.
  mutating func append(_ draft: EntryDraft, _ shape: EntryShape) {
    let shape = begin(shape)
    buffer.append(EntryBlock.count(draft)) { EntryBlock.write(draft, shape: shape, to: &$0) }
  }

  /// All entries.
  package mutating func finish() -> [FileEntry] {
    close()
    defer { files = [] }
    return files
  }

  /// Begins an entry, and answers its shape's number.
  private mutating func begin(_ shape: EntryShape) -> Int {
    if buffer.isFull { close() }
    starts.append(Int32(buffer.count))
    if let known = shapes.indices.suffix(Self.shapesLookedAt).last(where: { shapes[$0].isSame(as: shape) }) {
      return known
    }
    shapes.append(shape)
    return shapes.count - 1
  }

  private mutating func close() {
    guard !starts.isEmpty else { return }
    let block = EntryBlock(buffer.contents, shapes)
    files.append(contentsOf: starts.lazy.map { FileEntry(block, at: Int($0)) })
    buffer.removeAll()
    starts.removeAll(keepingCapacity: true)
    shapes.removeAll(keepingCapacity: true)
  }
}
