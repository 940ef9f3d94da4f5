import Glibc

/// Reads the entries of a block list as most programs and people write them, without libyaml: one key and one text of
/// printable ASCII on a line, or all of them within braces on one line; nothing nested, no comment behind it.
///
///     - url: https://example.org/a
///       destination: a
///     - {url: https://example.org/b, destination: b}
///     - https://example.org/c
///
/// It takes an entry only where YAML leaves no doubt about it, which shows with the line that follows: another entry at the
/// same depth, a key of the top level, or the end. Everything else is left to libyaml, from the first entry on that it
/// does not take. That both read the same is what the fuzzer tries.
struct PlainEntries {
  private struct Line {
    let start: Int
    let end: Int
    var next: Int { end + 1 }
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  /// Where the next entry's first line begins, and its number counted from 1.
  private(set) var offset: Int
  private(set) var line: Int
  private var indent = -1

  /// Entries from a line on.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, line: Int) {
    self.bytes = bytes
    self.offset = offset
    self.line = line
  }

  /// Puts the next entry into a tree; false where it is none that leaves no doubt.
  mutating func next(into tree: Tree) -> Bool {
    guard let first = self.line(at: offset) else { return false }
    var depth = 0
    while first.start + depth < first.end, bytes[first.start + depth] == 0x20 { depth += 1 }
    guard indent < 0 || depth == indent, isItem(first, depth) else { return false }
    let text = first.start + depth + 2
    var number = line
    let isInBraces = bytes[text] == 0x7b
    let isMapping = isInBraces || keyEnd(text, first.end) != nil
    if isMapping {
      let place = TextPosition(number, text - first.start + 1)
      tree.nodes.append(Tree.Node(kind: .mapping, isPlain: false, place: place, start: 0, length: 0, end: 0))
      guard isInBraces ? braces(text, first, number, tree) : pair(text, first, number, tree) else { return false }
    } else {
      guard value(text, first, number, tree) else { return false }
    }
    var following = first.next
    number += 1
    while let line = self.line(at: following) {
      if line.end - line.start > depth + 2, isBlank(line.start, depth + 2), bytes[line.start + depth + 2] != 0x20 {
        // What follows a text at this depth would belong to it.
        guard isMapping, !isInBraces, pair(line.start + depth + 2, line, number, tree) else { return false }
        following = line.next
        number += 1
        continue
      }
      guard isItem(line, depth) || isTopLevelKey(line) else { return false }
      break
    }
    tree.nodes[0].end = Int32(truncatingIfNeeded: tree.nodes.count)
    (indent, offset, self.line) = (depth, following, number)
    return true
  }

  /// The line that begins at an offset; nil at the end.
  private func line(at start: Int) -> Line? {
    guard start < bytes.count else { return nil }
    let found = memchr(bytes.baseAddress! + start, 0x0a, bytes.count - start)
    let end = found.map { UnsafeRawPointer(bytes.baseAddress!).distance(to: UnsafeRawPointer($0)) } ?? bytes.count
    return Line(start: start, end: end)
  }

  private func isBlank(_ start: Int, _ count: Int) -> Bool {
    for index in start..<start + count where bytes[index] != 0x20 { return false }
    return true
  }

  /// `- ` at this depth, and something behind it.
  private func isItem(_ line: Line, _ depth: Int) -> Bool {
    line.end - line.start > depth + 2 && isBlank(line.start, depth) && bytes[line.start + depth] == 0x2d
      && bytes[line.start + depth + 1] == 0x20
  }

  /// `key:`, and a blank or nothing behind it.
  private func isTopLevelKey(_ line: Line) -> Bool {
    var index = line.start
    while index < line.end, index - line.start < 64, Self.isLetter(bytes[index]) { index += 1 }
    return index > line.start && index < line.end && bytes[index] == 0x3a
      && (index + 1 == line.end || bytes[index + 1] == 0x20)
  }

  /// Where the colon of `key: ` is.
  private func keyEnd(_ start: Int, _ end: Int) -> Int? {
    guard start < end, Self.isLetter(bytes[start]) else { return nil }
    var index = start
    while index < end, index - start < 64, Self.isLetter(bytes[index]) || Self.isDigit(bytes[index]) { index += 1 }
    return index + 1 < end && bytes[index] == 0x3a && bytes[index + 1] == 0x20 ? index : nil
  }

  private func pair(_ start: Int, _ line: Line, _ number: Int, _ tree: Tree) -> Bool {
    guard let colon = keyEnd(start, line.end) else { return false }
    add(start, colon, isPlain: true, line, number, tree)
    return value(colon + 2, line, number, tree)
  }

  /// The rest of the line as a text: plain, or in quotes without escapes.
  private func value(_ start: Int, _ line: Line, _ number: Int, _ tree: Tree) -> Bool {
    guard start < line.end else { return false }
    let first = bytes[start]
    if first == 0x22 || first == 0x27 {
      guard line.end - start >= 2, bytes[line.end - 1] == first else { return false }
      for index in start + 1..<line.end - 1 {
        let byte = bytes[index]
        guard byte >= 0x20, byte < 0x7f, byte != first, byte != 0x5c else { return false }
      }
      add(start, line.end, isPlain: false, line, number, tree)
      return true
    }
    guard
      Self.isLetter(first) || Self.isDigit(first) || first == 0x2f || first == 0x2e || first == 0x5f || first == 0x24
    else { return false }
    var before = first
    for index in start + 1..<line.end {
      let byte = bytes[index]
      guard byte >= 0x20, byte < 0x7f else { return false }
      // `: ` ends a key, ` #` begins a comment.
      if before == 0x3a && byte == 0x20 || before == 0x20 && byte == 0x23 { return false }
      before = byte
    }
    guard before != 0x20, before != 0x3a else { return false }
    add(start, line.end, isPlain: true, line, number, tree)
    return true
  }

  /// `{key: value, key: value}`, and nothing behind it.
  private func braces(_ start: Int, _ line: Line, _ number: Int, _ tree: Tree) -> Bool {
    var index = afterBlanks(start + 1, line.end)
    while let colon = keyEnd(index, line.end) {
      add(index, colon, isPlain: true, line, number, tree)
      guard let end = valueInBraces(colon + 2, line, number, tree) else { return false }
      index = afterBlanks(end, line.end)
      guard index < line.end else { return false }
      if bytes[index] == 0x7d { return index + 1 == line.end }
      guard bytes[index] == 0x2c, index + 1 < line.end, bytes[index + 1] == 0x20 else { return false }
      index += 2
    }
    return false
  }

  /// A text within braces, and where it ends: in quotes without escapes, or of characters that mean nothing there.
  private func valueInBraces(_ start: Int, _ line: Line, _ number: Int, _ tree: Tree) -> Int? {
    guard start < line.end else { return nil }
    let first = bytes[start]
    var index = start + 1
    if first == 0x22 || first == 0x27 {
      while index < line.end, bytes[index] != first {
        guard bytes[index] >= 0x20, bytes[index] < 0x7f, bytes[index] != 0x5c else { return nil }
        index += 1
      }
      guard index < line.end else { return nil }
      add(start, index + 1, isPlain: false, line, number, tree)
      return index + 1
    }
    guard Self.isLetter(first) || Self.isDigit(first) || first == 0x2f || first == 0x2e || first == 0x5f else {
      return nil
    }
    while index < line.end, Self.isPlainInBraces(bytes[index]) {
      // `:` is part of a text where more of the text follows.
      if bytes[index] == 0x3a, index + 1 == line.end || !Self.isPlainInBraces(bytes[index + 1]) { return nil }
      index += 1
    }
    add(start, index, isPlain: true, line, number, tree)
    return index
  }

  private func afterBlanks(_ start: Int, _ end: Int) -> Int {
    var index = start
    while index < end, bytes[index] == 0x20 { index += 1 }
    return index
  }

  /// Letters, digits, and `%`, `+`, `-`, `.`, `/`, `:`, `=`, `_`.
  private static func isPlainInBraces(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == 0x2f || byte == 0x2e || byte == 0x2d || byte == 0x5f || byte == 0x3a
      || byte == 0x25 || byte == 0x2b || byte == 0x3d
  }

  private func add(_ start: Int, _ end: Int, isPlain: Bool, _ line: Line, _ number: Int, _ tree: Tree) {
    let quotes = isPlain ? 0 : 1
    let textStart = tree.text.count
    tree.text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start + quotes..<end - quotes]))
    tree.nodes.append(
      Tree.Node(
        kind: .scalar, isPlain: isPlain, place: TextPosition(number, start - line.start + 1),
        start: Int32(truncatingIfNeeded: textStart), length: Int32(truncatingIfNeeded: end - start - 2 * quotes),
        end: Int32(truncatingIfNeeded: tree.nodes.count + 1)))
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
