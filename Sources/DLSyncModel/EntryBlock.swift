/// What entries of one queue with the same settings share.
struct EntryShape: Sendable {
  let queue: QueueName
  let options: FileOptions
}

/// Entries one behind the other, each as numbers at fixed places, then the few that most do not have, then the URL, the
/// destination's path, and for each digest the number of its algorithm and its bytes.
final class EntryBlock: Sendable {
  /// Where the numbers of an entry are, counted from its beginning.
  private enum Offset {
    static let id = 0
    static let line = 8
    static let column = 12
    static let url = 16
    static let path = 20
    static let digests = 24
    static let root = 28
    static let shape = 32
    static let flags = 34
    /// What only some have, and the texts.
    static let rest = 35
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
    let (urlText, path) = (url.text.utf8, destination.path.utf8)
    let (urlCount, pathCount, digestCount) = (urlText.count, path.count, PackedDigests.count(checksums))
    var flags: UInt8 = size == nil ? 0 : Flag.size
    if priority != Self.usualPriority { flags |= Flag.priority }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Offset.rest + 16 + urlCount + pathCount + digestCount)
    bytes.append(number: id.value)
    for number in [
      line, column, Int32(urlCount), Int32(pathCount), Int32(digestCount), Int32(destination.rootByteCount),
    ] {
      bytes.append(number: number)
    }
    bytes.append(number: 0 as UInt16)
    bytes.append(flags)
    if let size { bytes.append(number: size.bytes) }
    if flags & Flag.priority != 0 { bytes.append(number: priority.bitPattern) }
    bytes += urlText
    bytes += path
    PackedDigests.append(checksums, to: &bytes)
    self.bytes = bytes
  }

  /// A block of entries that were put together.
  init(_ bytes: [UInt8], _ shapes: [EntryShape]) {
    self.bytes = bytes
    firstShape = shapes[0]
    moreShapes = shapes.dropFirst()
  }

  /// The same entry with its shape at another place.
  static func setShape(_ shape: Int, _ start: Int, in bytes: inout [UInt8]) {
    bytes[start + Offset.shape] = UInt8(truncatingIfNeeded: shape)
    bytes[start + Offset.shape + 1] = UInt8(truncatingIfNeeded: shape >> 8)
  }
}

// One entry, by its beginning.
extension EntryBlock {
  func id(_ start: Int) -> UInt64 { number(start + Offset.id) }
  func line(_ start: Int) -> Int32 { number(start + Offset.line) }
  func column(_ start: Int) -> Int32 { number(start + Offset.column) }
  func rootLength(_ start: Int) -> Int32 { number(start + Offset.root) }

  func shape(_ start: Int) -> EntryShape {
    let place = start + Offset.shape
    let index = Int(bytes[place]) | Int(bytes[place + 1]) << 8
    return index == 0 ? firstShape : moreShapes[index]
  }

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
