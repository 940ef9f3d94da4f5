import DLSyncModel

/// Reads one line of JSON (RFC 8259) into a record's tree, every value with its place.
struct JSONRecord {
  /// What is wrong, and where.
  struct Problem: Error, Equatable {
    let column: Int
    let message: String
  }

  private static let greatestDepth = 64

  private let line: ArraySlice<UInt8>
  private let number: Int
  private var index: Int
  private var depth = 0
  private var columns: ColumnCounter
  private var record: RecordTree

  private init(_ line: ArraySlice<UInt8>, number: Int, into record: RecordTree) {
    self.line = line
    self.number = number
    self.record = record
    index = line.startIndex
    columns = ColumnCounter(line)
  }

  /// The root of the line's value.
  static func read(
    _ line: ArraySlice<UInt8>, number: Int, into record: RecordTree
  ) throws(Problem) -> NodeRef {
    var reader = JSONRecord(line, number: number, into: record)
    try reader.value()
    reader.skipBlanks()
    guard reader.index == line.endIndex else { throw reader.problem("something follows the value of this line") }
    return reader.record.root
  }

  private mutating func problem(_ message: String) -> Problem {
    Problem(column: columns.column(of: index), message: message)
  }

  private mutating func here() -> TextPosition { TextPosition(number, columns.column(of: index)) }

  private mutating func skipBlanks() {
    while index < line.endIndex, line[index] == 0x20 || line[index] == 0x09 { index += 1 }
  }

  private mutating func value() throws(Problem) {
    skipBlanks()
    guard index < line.endIndex else { throw problem("a value is missing here") }
    switch line[index] {
    case UInt8(ascii: "{"): try collection(.mapping, closedBy: UInt8(ascii: "}"))
    case UInt8(ascii: "["): try collection(.sequence, closedBy: UInt8(ascii: "]"))
    case UInt8(ascii: "\""):
      let place = here()
      record.add(try text(), at: place)
    default: try word()
    }
  }

  private mutating func collection(_ kind: Tree.Node.Kind, closedBy end: UInt8) throws(Problem) {
    depth += 1
    guard depth <= Self.greatestDepth else {
      throw problem("values are nested deeper than \(Self.greatestDepth) levels")
    }
    record.begin(kind, at: here())
    index += 1
    skipBlanks()
    if index < line.endIndex, line[index] == end {
      index += 1
    } else {
      while try item(kind, closedBy: end) {}
    }
    record.end()
    depth -= 1
  }

  /// One item and what follows it; false for the last one.
  private mutating func item(_ kind: Tree.Node.Kind, closedBy end: UInt8) throws(Problem) -> Bool {
    if kind == .mapping {
      skipBlanks()
      guard index < line.endIndex, line[index] == UInt8(ascii: "\"") else {
        throw problem("a key in quotes is missing")
      }
      let place = here()
      record.add(try text(), at: place)
      skipBlanks()
      guard index < line.endIndex, line[index] == UInt8(ascii: ":") else { throw problem("a `:` is missing here") }
      index += 1
    }
    try value()
    skipBlanks()
    guard index < line.endIndex, line[index] == end || line[index] == UInt8(ascii: ",") else {
      throw problem("a `,` or the end is missing here")
    }
    defer { index += 1 }
    return line[index] != end
  }

  /// A number, `true`, `false` or `null`: the text as it stands, read by the type that its key expects. It is as plain as
  /// one of YAML without quotes.
  private mutating func word() throws(Problem) {
    let place = here()
    let start = index
    while index < line.endIndex, Self.isWordByte(line[index]) { index += 1 }
    let word = line[start..<index]
    guard Self.isNumber(word) || ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) else {
      index = start
      throw problem("this is no JSON value")
    }
    record.add(word, at: place, isPlain: true)
  }

  /// RFC 8259, section 6.
  private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
    var rest = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
    func takeDigits() -> Int {
      let digits = rest.prefix(while: NumberText.isDigit)
      rest = rest[digits.endIndex...]
      return digits.count
    }
    let beginsWithZero = rest.first == UInt8(ascii: "0")
    let digits = takeDigits()
    guard digits == 1 || digits > 1 && !beginsWithZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard takeDigits() > 0 else { return false }
    }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if let sign = rest.first, "+-".utf8.contains(sign) { rest.removeFirst() }
      guard takeDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    NumberText.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || "+-.".utf8.contains(byte)
  }

  // MARK: Texts

  private mutating func text() throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    index += 1
    while index < line.endIndex {
      let byte = line[index]
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return bytes
      case UInt8(ascii: "\\"): try escape(into: &bytes)
      case 0..<0x20: throw problem("a control character stands in a text")
      default:
        bytes.append(byte)
        index += 1
      }
    }
    throw problem("a text is not closed")
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(Problem) {
    guard index + 1 < line.endIndex else { throw problem("a text is not closed") }
    let letter = line[index + 1]
    if letter == UInt8(ascii: "u") {
      let scalar = try unicodeEscape()
      bytes.append(contentsOf: String(Character(scalar)).utf8)
      return
    }
    guard let meaning = Self.escapes[letter] else { throw problem("this escape means nothing in JSON") }
    bytes.append(meaning)
    index += 2
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"),
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c, UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d,
    UInt8(ascii: "t"): 0x09,
  ]

  /// `\u` and four hexadecimal digits, two of them where one scalar takes a surrogate pair.
  private mutating func unicodeEscape() throws(Problem) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xd800..<0xdc00).contains(first), index + 1 < line.endIndex, line[index] == UInt8(ascii: "\\"),
      line[index + 1] == UInt8(ascii: "u")
    else { throw problem("half of a surrogate pair is no character") }
    let second = try codeUnit()
    guard (0xdc00..<0xe000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
    else { throw problem("half of a surrogate pair is no character") }
    return scalar
  }

  private mutating func codeUnit() throws(Problem) -> UInt16 {
    let digits = line[min(index + 2, line.endIndex)..<min(index + 6, line.endIndex)]
    guard digits.count == 4, let unit = Hex.decode(String(decoding: digits, as: UTF8.self)) else {
      throw problem("`\\u` needs four hexadecimal digits")
    }
    index += 6
    return UInt16(unit[0]) << 8 | UInt16(unit[1])
  }
}
