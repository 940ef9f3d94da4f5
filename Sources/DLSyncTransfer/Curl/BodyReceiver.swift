package import DLSyncModel
import DLSyncThreading

/// Counts a body's bytes against what was told, cuts what lies behind the end, and hands the rest to the sink in large
/// pieces.
package struct BodyReceiver {
  /// A body up to this size is written as it comes; collecting it first would only copy it.
  private static let directLimit: Int64 = 32 * 1024

  private let sink: any ByteSink
  private let meter: TransferMeter
  private let pool: BufferPool
  private let limits: [RateLimit]
  private let start: Int64
  /// The offset behind the last byte, where the length was told.
  private let end: Int64?
  /// The declared size, where the length was not told.
  private let bound: Int64?
  /// The offset behind the last byte that came.
  private(set) var position: Int64
  private var block: UnsafeMutableRawPointer?
  private var collected = 0
  /// How much is collected before it is written.
  private var share = 0
  private var hasFailed = false

  package init(_ request: TransferRequest, pool: BufferPool, offset: Int64, length: Int64?) {
    sink = request.sink
    meter = request.meter
    self.pool = pool
    limits = request.rateLimits
    start = offset
    position = offset
    end = length.map { offset + $0 }
    bound = request.declaredSize?.bytes
  }

  /// Bytes that came.
  package var received: Int64 { position - start }
  /// Bytes that were to come, where that was told.
  var expected: Int64? { end.map { $0 - start } }
  /// Whether nothing more is needed: the told end is reached, or the one that was drawn while the body came.
  package var isWhole: Bool { end.map { position >= $0 } ?? false || isShortened }
  /// Whether somebody else fetches what follows.
  package var isShortened: Bool { position >= meter.end.value }

  /// Whether the server has fewer bytes left to send than so many, but some.
  func endsWithin(_ bytes: Int64) -> Bool { end.map { (1..<bytes).contains($0 - position) } ?? false }

  static let sizeHint = "find out which of the two is right before changing the entry's size"

  /// Takes bytes; false when no more are wanted and the connection may go.
  package mutating func take(_ bytes: UnsafeRawBufferPointer) throws(DLSyncError) -> Bool {
    let limit = min(end ?? .max, meter.end.value)
    let room = max(0, limit - position)
    let count = Int(min(Int64(bytes.count), room))
    if let bound, end == nil, position + Int64(count) > bound {
      throw DLSyncError(SizeMismatch(declared: bound, found: "the server sends more"), hint: Self.sizeHint)
    }
    if count > 0 { try collect(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
    // At its own end the body ends by itself, and its connection serves again.
    return count == bytes.count && (!isShortened || position == end)
  }

  /// How the transfer ends when no more bytes come. `isOrderly`: framing, or a properly closed connection, marked the end.
  package func end(isOrderly: Bool, declared: ByteCount?, url: SourceURL, underlying: String?) throws(DLSyncError)
    -> TransferOutcome.End
  {
    if isWhole { return .completed(length: min(position, meter.end.value)) }
    guard isOrderly, end == nil else {
      throw CurlFailure.lost(url, received: received, expected: expected, underlying: underlying)
    }
    if let declared = declared?.bytes, position != declared {
      throw DLSyncError(
        SizeMismatch(declared: declared, found: "the server sent \(position) bytes (\"\(url.shown)\")"),
        hint: Self.sizeHint)
    }
    meter.total.set(position)
    return .completed(length: position)
  }

  /// Hands on what was collected.
  package mutating func flush() throws(DLSyncError) {
    guard let block, collected > 0, !hasFailed else { return }
    let first = position - Int64(collected)
    let count = collected
    collected = 0
    // The end may have been drawn before bytes that were collected already.
    let kept = Int(max(0, min(Int64(count), meter.end.value - first)))
    if kept > 0 { try write(UnsafeRawBufferPointer(start: block, count: kept), at: first) }
  }

  /// Gives the block back; call once, at the end.
  package mutating func close() {
    if let block { pool.give(block) }
    block = nil
    collected = 0
  }

  private mutating func collect(_ bytes: UnsafeRawBufferPointer) throws(DLSyncError) {
    let isSmall = end.map { $0 - start <= Self.directLimit } ?? (position == start)
    if isSmall, collected == 0 {
      try write(bytes, at: position)
      position += Int64(bytes.count)
      return
    }
    if collected + bytes.count > share { try flush() }
    guard bytes.count <= BufferPool.blockSize else {
      try write(bytes, at: position)
      position += Int64(bytes.count)
      return
    }
    if collected == 0 { share = pool.share(for: limits) }
    let block = self.block ?? pool.take()
    self.block = block
    block.advanced(by: collected).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    collected += bytes.count
    position += Int64(bytes.count)
    meter.collected.set(received)
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DLSyncError) {
    do {
      try sink.write(bytes, at: offset)
    } catch {
      hasFailed = true
      throw error
    }
    meter.add(Int64(bytes.count))
  }
}
