/// Puts entries together into blocks, so that many of them cost little more than their texts. What goes in comes out in the
/// same order.
package struct EntryPacker {
  /// Bytes; a block ends when it has so many.
  private static let blockSize = 32 << 10
  /// How many shapes are looked at: settings tend to be those of an entry shortly before.
  private static let shapesLookedAt = 4

  private var files: [FileEntry] = []
  // The block that is being filled.
  private var bytes: [UInt8] = []
  private var starts: [Int32] = []
  private var shapes: [EntryShape] = []

  package init() {}

  /// How many entries were added.
  package var count: Int { files.count + starts.count }

  /// Adds an entry at the end.
  package mutating func append(_ entry: FileEntry) {
    if bytes.count >= Self.blockSize { close() }
    if starts.isEmpty { bytes.reserveCapacity(Self.blockSize + Self.blockSize / 8) }
    let start = bytes.count
    bytes += entry.block.bytes[entry.block.range(entry.start)]
    EntryBlock.setShape(place(of: entry.block.shape(entry.start)), start, in: &bytes)
    starts.append(Int32(start))
  }

  /// All entries.
  package mutating func finish() -> [FileEntry] {
    close()
    defer { files = [] }
    return files
  }

  private mutating func place(of shape: EntryShape) -> Int {
    let recent = shapes.indices.suffix(Self.shapesLookedAt)
    if let known = recent.last(where: { shapes[$0].options === shape.options && shapes[$0].queue == shape.queue }) {
      return known
    }
    shapes.append(shape)
    return shapes.count - 1
  }

  private mutating func close() {
    guard !starts.isEmpty else { return }
    // A copy has no room to spare.
    let block = EntryBlock(bytes.withUnsafeBufferPointer { Array($0) }, shapes)
    files.append(contentsOf: starts.lazy.map { FileEntry(block, at: Int($0)) })
    bytes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    shapes.removeAll(keepingCapacity: true)
  }
}
