/// The manifest's bytes, and where its lines are. Lines end as YAML 1.1 has it, because libyaml counts them so: CR LF, LF,
/// CR, NEL, LS and PS.
struct SourceText {
  /// UTF-8 without a byte order mark; not copied, valid as long as the caller's array.
  let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    self.bytes = bytes.starts(with: mark) ? UnsafeBufferPointer(rebasing: bytes[3...]) : bytes
  }

  /// The text of one line, counted from 1, without its end.
  func line(_ number: Int) -> String? { lines([number])[number] }

  /// The texts of several lines in one pass.
  func lines(_ numbers: Set<Int>) -> [Int: String] {
    var found: [Int: String] = [:]
    guard let last = numbers.max() else { return found }
    var start = 0
    var number = 1
    while number <= last, start < bytes.count {
      let (end, next) = lineEnd(from: start)
      if numbers.contains(number) { found[number] = String(decoding: bytes[start..<end], as: UTF8.self) }
      start = next
      number += 1
    }
    return found
  }

  /// Where a line begins, counted from 1; nil behind the last one.
  func start(of line: Int) -> Int? {
    var start = 0
    for _ in 1..<max(1, line) {
      guard start < bytes.count else { return nil }
      start = lineEnd(from: start).next
    }
    return start < bytes.count ? start : nil
  }

  /// The same place, but within the text: where nothing ends the last line, libyaml puts the end on one more.
  func within(_ place: TextPosition) -> TextPosition {
    guard bytes.last != 0x0a, bytes.last != 0x0d, line(Int(place.line)) == nil, let last = line(Int(place.line) - 1)
    else { return place }
    return TextPosition(Int(place.line) - 1, last.unicodeScalars.count + 1)
  }

  /// Line and column of a byte.
  func position(of offset: Int) -> TextPosition {
    var start = 0
    var number = 1
    while true {
      let (_, next) = lineEnd(from: start)
      if next > offset || next >= bytes.count { break }
      start = next
      number += 1
    }
    let before = String(decoding: bytes[start..<max(start, offset)], as: UTF8.self)
    return TextPosition(number, before.unicodeScalars.count + 1)
  }

  /// Where the line that begins at `start` ends, and where the next one begins.
  private func lineEnd(from start: Int) -> (end: Int, next: Int) {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0a { return (index, index + 1) }
      if byte == 0x0d { return (index, index + (index + 1 < bytes.count && bytes[index + 1] == 0x0a ? 2 : 1)) }
      if byte == 0xc2, index + 1 < bytes.count, bytes[index + 1] == 0x85 { return (index, index + 2) }
      if byte == 0xe2, index + 2 < bytes.count, bytes[index + 1] == 0x80, bytes[index + 2] & 0xfe == 0xa8 {
        return (index, index + 3)
      }
      index += 1
    }
    return (index, index)
  }
}
