internal import Glibc

/// The columns of a table that has no others than usual entries need.
struct UsualColumns {
  /// The number of each column's key in `UsualTexts`.
  private let keys: [Int]
  private let separator: UInt8

  /// Nil where another key is among them.
  init?(_ names: [ArraySlice<UInt8>], separator: UInt8) {
    let keys = names.compactMap { $0.withUnsafeBytes(UsualTexts.number) }
    guard keys.count == names.count else { return nil }
    self.keys = keys
    self.separator = separator
  }

  /// The texts of a record, where it is a line of ASCII with a field for each column, none of them in quotes.
  func texts(of line: UnsafeRawBufferPointer) -> UsualTexts? {
    guard line.isASCII, let first = line.baseAddress else { return nil }
    if separator == UInt8(ascii: ","), memchr(first, Int32(UInt8(ascii: "\"")), line.count) != nil { return nil }
    var texts = UsualTexts()
    var start = 0
    for (column, key) in keys.enumerated() {
      let found = memchr(first + start, Int32(separator), line.count - start)
      // A separator behind the last field would begin one more.
      guard (found == nil) == (column == keys.count - 1) else { return nil }
      let end = found.map { first.distance(to: $0) } ?? line.count
      texts.set(key, UnsafeRawBufferPointer(rebasing: line[start..<end]))
      start = end + 1
    }
    return texts
  }
}

extension UnsafeRawBufferPointer {
  /// Whether no byte is above 127, eight of them at a time.
  var isASCII: Bool {
    var all: UInt64 = 0
    var index = 0
    while index + 8 <= count {
      all |= loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < count {
      all |= UInt64(self[index])
      index += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
