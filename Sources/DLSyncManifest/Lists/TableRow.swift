/// The fields of one record of a table, each with the place of its first byte: RFC 4180 for commas, and no quotes at all for
/// tabs.
struct TableRow {
  struct Field {
    let bytes: ArraySlice<UInt8>
    let place: TextPosition
  }

  enum Problem: Error, Equatable {
    /// A quote begins in the middle of a field, or something follows the closing one.
    case strayQuote(TextPosition)
    /// A quote is never closed.
    case openQuote(TextPosition)
    /// What is in quotes is longer than a line may be.
    case longQuote(TextPosition)
  }

  private(set) var fields: [Field] = []
  private let separator: UInt8
  private var current: [UInt8] = []
  private var place = TextPosition(1, 1)
  /// Where an open quote began.
  private var quote: TextPosition?
  /// What ended the line before, in an open quote: it is part of the field as it stands (RFC 4180).
  private var ending = LineEnding.none

  init(separator: UInt8) { self.separator = separator }

  /// Whether the record goes on with the next line.
  var isOpen: Bool { quote != nil }

  /// Takes a line of the record; it may leave the record open.
  mutating func take(_ line: ArraySlice<UInt8>, number: Int, ending: LineEnding) throws(Problem) {
    defer { self.ending = ending }
    if quote == nil, separator != UInt8(ascii: ",") || !line.contains(UInt8(ascii: "\"")) {
      return split(line, number: number)
    }
    var columns = ColumnCounter(line)
    var index = line.startIndex
    if let quote {
      // Not closed, it would take the rest of the list, however long that is.
      guard current.count + line.count < LineReader.greatestLength else { throw .longQuote(quote) }
      current += self.ending.bytes
    } else {
      begin(at: index, &columns, number)
    }
    var isClosed = false
    while true {
      guard index < line.endIndex else {
        if quote == nil { end() }
        return
      }
      let byte = line[index]
      if quote != nil {
        if byte != UInt8(ascii: "\"") {
          current.append(byte)
        } else if index + 1 < line.endIndex, line[index + 1] == byte {
          current.append(byte)
          index += 1
        } else {
          quote = nil
          isClosed = true
        }
      } else if byte == separator {
        end()
        isClosed = false
        begin(at: index + 1, &columns, number)
      } else if separator == UInt8(ascii: ","), byte == UInt8(ascii: "\"") {
        let here = TextPosition(number, columns.column(of: index))
        guard current.isEmpty, !isClosed else { throw .strayQuote(here) }
        quote = here
      } else if isClosed {
        throw .strayQuote(TextPosition(number, columns.column(of: index)))
      } else {
        current.append(byte)
      }
      index += 1
    }
  }

  /// The whole record, where no quotes count: its fields stay where they are.
  private mutating func split(_ line: ArraySlice<UInt8>, number: Int) {
    var columns = ColumnCounter(line)
    var start = line.startIndex
    fields.reserveCapacity(8)
    while true {
      let end = line[start...].firstIndex(of: separator) ?? line.endIndex
      fields.append(Field(bytes: line[start..<end], place: TextPosition(number, columns.column(of: start))))
      guard end < line.endIndex else { return }
      start = end + 1
    }
  }

  /// No more lines come.
  func finish() throws(Problem) {
    if let quote { throw .openQuote(quote) }
  }

  private mutating func begin(at index: Int, _ columns: inout ColumnCounter, _ number: Int) {
    current.removeAll(keepingCapacity: true)
    place = TextPosition(number, columns.column(of: index))
  }

  private mutating func end() {
    fields.append(Field(bytes: current[...], place: place))
  }
}
