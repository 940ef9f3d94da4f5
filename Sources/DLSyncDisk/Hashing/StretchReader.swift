import DLSyncModel
import DLSyncSystem

/// Reads stretches of one file, piece by piece into a buffer of its own.
struct StretchReader {
  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    buffer = .allocate(byteCount: 256 << 10, alignment: 64)
  }

  /// Gives the buffer back; once, at the end.
  func close() { buffer.deallocate() }

  /// Hands over the bytes of a range in order; false when the file ends before the range does.
  func read(_ range: ByteRange, _ body: (UnsafeRawBufferPointer) -> Void) throws(SystemTrouble) -> Bool {
    var position = range.lower
    while position < range.upper {
      let count = Int(min(Int64(buffer.count), range.upper - position))
      let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      guard try readFully(descriptor, wanted, at: position) == count else { return false }
      body(UnsafeRawBufferPointer(wanted))
      position += Int64(count)
    }
    return true
  }
}
