package import DLSyncModel
internal import Glibc

/// Reads an external list block by block, so that a list of any length costs one block of memory.
package protocol ListStream: AnyObject {
  /// The next bytes; none at the end.
  func read() throws(DLSyncError) -> [UInt8]
}

/// Opens an external list by its absolute path.
package typealias ListOpener = @Sendable (String) throws(DLSyncError) -> any ListStream

/// What stands between two lines.
enum LineEnding {
  case lf, crlf, cr, none

  var bytes: [UInt8] {
    switch self {
    case .lf: [0x0a]
    case .crlf: [0x0d, 0x0a]
    case .cr: [0x0d]
    case .none: []
    }
  }
}

/// Cuts a list into its lines: LF, CR LF or CR ends one. A byte order mark at the beginning does not count.
struct LineReader {
  /// A line is one record, and no record of a person or program is longer.
  static let greatestLength = 1 << 20

  enum Step {
    case line(ArraySlice<UInt8>)
    /// The line is longer than any may be.
    case tooLong
    case end
  }

  private let stream: any ListStream
  private var block: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private var isFirst = true
  /// The number of the line that was read last, counted from 1.
  private(set) var number = 0
  /// What ended it; nothing at the end of the list.
  private(set) var ending: LineEnding = .none

  init(_ stream: any ListStream) { self.stream = stream }

  /// The next line without its end.
  mutating func next() throws(DLSyncError) -> Step {
    var searched = start
    while true {
      if let end = lineEnd(from: searched) {
        // Whether a CR is the end or the first half of one shows with the next byte.
        if block[end] == 0x0d, end + 1 == block.count, !isAtEnd {
          searched = end
        } else {
          return take(upTo: end)
        }
      } else {
        if isAtEnd {
          guard start < block.count else { return .end }
          return take(upTo: block.count)
        }
        searched = block.count
        if searched - start > Self.greatestLength {
          number += 1
          return .tooLong
        }
      }
      let kept = block.count - start
      searched -= start
      try refill(keeping: kept)
    }
  }

  private func lineEnd(from start: Int) -> Int? {
    block.withUnsafeBytes { block in
      guard start < block.count, let first = block.baseAddress else { return nil }
      let end = memchr(first + start, 0x0a, block.count - start).map { first.distance(to: $0) }
      // Lists with the other end of lines are rare, and have it in every line.
      let other = memchr(first + start, 0x0d, (end ?? block.count) - start).map { first.distance(to: $0) }
      return other ?? end
    }
  }

  private mutating func refill(keeping kept: Int) throws(DLSyncError) {
    block.removeFirst(block.count - kept)
    start = 0
    let more = try stream.read()
    isAtEnd = more.isEmpty
    block += more
    if isFirst, block.starts(with: [0xef, 0xbb, 0xbf]) { start = 3 }
    isFirst = isFirst && block.count < 3
  }

  private mutating func take(upTo end: Int) -> Step {
    number += 1
    let line = block[start..<end]
    ending =
      switch block[end...].prefix(2) {
      case let bytes where bytes.isEmpty: .none
      case let bytes where bytes.elementsEqual([0x0d, 0x0a]): .crlf
      case let bytes: bytes.first == 0x0d ? .cr : .lf
      }
    start = end + ending.bytes.count
    return line.count > Self.greatestLength ? .tooLong : .line(line)
  }
}
