/// Entries one behind the other, each as numbers at fixed places, then the few that most do not have, then the URL, the
/// destination's path behind what its shape says of it, and for each digest the number of its algorithm and its bytes.
final class EntryBlock: Sendable {
  /// Where the numbers of an entry are, counted from its beginning.
  private enum Offset {
    static let id = 0
    static let line = 8
    static let column = 12
    static let url = 16
    static let path = 20
    static let digests = 24
    static let shape = 28
    static let flags = 30
    /// What only some have, and the texts.
    static let rest = 31
  }

  /// Which of the numbers that most do not have are there, in this order, 8 bytes each.
  private enum Flag {
    static let size: UInt8 = 1
    static let priority: UInt8 = 2
  }

  private static let usualPriority = 0.5

  let bytes: [UInt8]
  /// Most blocks have one shape.
  private let firstShape: EntryShape
  private let moreShapes: ArraySlice<EntryShape>

  /// A block of one entry.
  init(
    id: TaskID, url: SourceURL, destination: Destination, shape: EntryShape, checksums: [Digest], size: ByteCount?,
    priority: Double, line: Int32, column: Int32
  ) {
    firstShape = shape
    moreShapes = []
    var (url, path, digests) = (url.text, destination.path, [UInt8]())
    PackedDigests.append(checksums, to: &digests)
    let folderLength = shape.folder.count
    bytes = url.withUTF8 { url in
      path.withUTF8 { path in
        digests.withUnsafeBytes { digests in
          let draft = EntryDraft(
            id: id, url: UnsafeRawBufferPointer(url),
            path: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: path[folderLength...])),
            digests: digests, size: size, priority: priority, line: line, column: column)
          let length = Self.count(draft)
          return [UInt8](unsafeUninitializedCapacity: length) { room, count in
            var cursor = ByteCursor(UnsafeMutableRawPointer(room.baseAddress!))
            Self.write(draft, shape: 0, to: &cursor)
            count = length
          }
        }
      }
    }
  }

  /// A block of entries that were put together.
  init(_ bytes: [UInt8], _ shapes: [EntryShape]) {
    self.bytes = bytes
    firstShape = shapes[0]
    moreShapes = shapes.dropFirst()
  }

  /// How many bytes an entry takes.
  static func count(_ draft: EntryDraft) -> Int {
    Offset.rest + 8 * ((draft.size == nil ? 0 : 1) + (draft.priority == usualPriority ? 0 : 1))
      + draft.url.count + draft.path.count + draft.digests.count
  }

  /// Writes an entry. `shape` is its shape's number in the block.
  static func write(_ draft: EntryDraft, shape: Int, to cursor: inout ByteCursor) {
    cursor.put(draft.id.value)
    cursor.put(draft.line)
    cursor.put(draft.column)
    cursor.put(Int32(draft.url.count))
    cursor.put(Int32(draft.path.count))
    cursor.put(Int32(draft.digests.count))
    cursor.put(UInt16(shape))
    var flags: UInt8 = draft.size == nil ? 0 : Flag.size
    if draft.priority != usualPriority { flags |= Flag.priority }
    cursor.put(flags)
    if let size = draft.size { cursor.put(size.bytes) }
    if flags & Flag.priority != 0 { cursor.put(draft.priority.bitPattern) }
    cursor.put(draft.url)
    cursor.put(draft.path)
    cursor.put(draft.digests)
  }

  /// Writes an entry of a block once more, with its shape's number in another one.
  func write(_ start: Int, shape: Int, to cursor: inout ByteCursor) {
    let copy = cursor.place
    lend(range(start)) { cursor.put($0) }
    copy.storeBytes(of: UInt16(shape), toByteOffset: Offset.shape, as: UInt16.self)
  }

  /// Lends some of the bytes.
  func lend(_ range: Range<Int>, to body: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Lends the whole path of a destination.
  func lendPath(_ start: Int, to body: (UnsafeRawBufferPointer) -> Void) {
    let range = pathRange(start)
    lendFolder(start) { folder in
      guard !folder.isEmpty else { return lend(range, to: body) }
      withUnsafeTemporaryAllocation(byteCount: folder.count + range.count, alignment: 1) { room in
        var cursor = ByteCursor(room.baseAddress!)
        cursor.put(folder)
        lend(range) { cursor.put($0) }
        body(UnsafeRawBufferPointer(room))
      }
    }
  }

  /// Whether the path begins so.
  func pathBegins(_ start: Int, with text: UnsafeRawBufferPointer) -> Bool {
    let range = pathRange(start)
    var isSame = false
    lendFolder(start) { folder in
      let split = min(folder.count, text.count)
      guard text.count <= folder.count + range.count,
        UnsafeRawBufferPointer(rebasing: folder[..<split]).hasSameBytes(
          as: UnsafeRawBufferPointer(rebasing: text[..<split]))
      else { return }
      lend(range.prefix(text.count - split)) {
        isSame = $0.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: text[split...]))
      }
    }
    return isSame
  }

  /// The length of the whole path.
  func pathLength(_ start: Int) -> Int {
    var length = 0
    lendFolder(start) { length = $0.count }
    return length + pathRange(start).count
  }
}

// One entry, by its beginning.
extension EntryBlock {
  func id(_ start: Int) -> UInt64 { number(start + Offset.id) }
  func line(_ start: Int) -> Int32 { number(start + Offset.line) }
  func column(_ start: Int) -> Int32 { number(start + Offset.column) }

  func shape(_ start: Int) -> EntryShape {
    let index = shapeIndex(start)
    return index == 0 ? firstShape : moreShapes[index]
  }

  // Parts of it, because a copy of the whole counts three references for a million entries.
  func options(_ start: Int) -> FileOptions {
    let index = shapeIndex(start)
    return index == 0 ? firstShape.options : moreShapes[index].options
  }

  func rootLength(_ start: Int) -> Int32 {
    let index = shapeIndex(start)
    return index == 0 ? firstShape.rootLength : moreShapes[index].rootLength
  }

  private func lendFolder(_ start: Int, to body: (UnsafeRawBufferPointer) -> Void) {
    let index = shapeIndex(start)
    if index == 0 { firstShape.folder.withUnsafeBytes(body) } else { moreShapes[index].folder.withUnsafeBytes(body) }
  }

  private func shapeIndex(_ start: Int) -> Int { Int(number(start + Offset.shape) as UInt16) }

  func size(_ start: Int) -> Int64? {
    bytes[start + Offset.flags] & Flag.size == 0 ? nil : number(start + Offset.rest)
  }

  func priority(_ start: Int) -> Double {
    let flags = bytes[start + Offset.flags]
    guard flags & Flag.priority != 0 else { return Self.usualPriority }
    return Double(bitPattern: number(start + Offset.rest + (flags & Flag.size == 0 ? 0 : 8)))
  }

  func urlRange(_ start: Int) -> Range<Int> {
    let first = textStart(start)
    return first..<first + length(start, Offset.url)
  }

  /// The destination behind what its shape says of it.
  func pathRange(_ start: Int) -> Range<Int> {
    let first = textStart(start) + length(start, Offset.url)
    return first..<first + length(start, Offset.path)
  }

  func digestRange(_ start: Int) -> Range<Int> {
    let first = textStart(start) + length(start, Offset.url) + length(start, Offset.path)
    return first..<first + length(start, Offset.digests)
  }

  /// Everything.
  func range(_ start: Int) -> Range<Int> { start..<digestRange(start).upperBound }

  private func textStart(_ start: Int) -> Int {
    let flags = bytes[start + Offset.flags]
    return start + Offset.rest + 8 * Int(flags & 1 + flags >> 1)
  }

  private func length(_ start: Int, _ offset: Int) -> Int { Int(number(start + offset) as Int32) }

  private func number<Number: FixedWidthInteger & BitwiseCopyable>(_ place: Int) -> Number { bytes.number(at: place) }
}
