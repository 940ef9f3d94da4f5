/// Where a block is put together: room that is used again for the next one, written to without a look at each byte.
struct BlockBuffer {
  /// Bytes; a block is whole when it has so many.
  private static let blockSize = 32 << 10

  private var room: [UInt8] = []
  private(set) var count = 0

  /// Whether what comes next belongs to another block.
  var isFull: Bool { count >= Self.blockSize }

  /// The bytes so far, without room to spare.
  var contents: [UInt8] { room.withUnsafeBytes { Array(UnsafeRawBufferPointer(rebasing: $0[..<count])) } }

  /// Adds so many bytes at the end. The body writes all of them.
  mutating func append(_ more: Int, _ write: (inout ByteCursor) -> Void) {
    let start = count
    count += more
    if count > room.count {
      let greatest = max(count, Self.blockSize + Self.blockSize / 8)
      room += repeatElement(0, count: greatest - room.count)
    }
    room.withUnsafeMutableBytes { bytes in
      var cursor = ByteCursor(bytes.baseAddress! + start)
      write(&cursor)
    }
  }

  mutating func removeAll() { count = 0 }
}
