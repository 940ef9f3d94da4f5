@testable import DLSyncCLI

extension UnitScreen {
  /// Gives the terminal another size, as terminals of today do: lines that are too long are broken, and made whole again
  /// where there is room; the cursor stays at its character.
  mutating func resize(rows: Int, columns: Int) {
    let (lines, cursor) = wholeLines()
    var rewrapped: [(cells: [String], isBroken: Bool)] = []
    var place = (row: 0, column: 0)
    for (number, line) in lines.enumerated() {
      let first = rewrapped.count
      let offsets = Self.wrap(line, columns: columns, into: &rewrapped)
      guard number == cursor.line else { continue }
      let row = offsets.lastIndex { $0 <= cursor.offset } ?? 0
      place = (first + row, min(columns - 1, cursor.offset - offsets[row]))
    }
    // What is below the cursor and empty goes first, then what is at the top.
    while rewrapped.count > rows, rewrapped.count - 1 > place.row, rewrapped.last?.cells.isEmpty == true {
      rewrapped.removeLast()
    }
    let over = max(0, rewrapped.count - rows)
    take(rewrapped.dropFirst(over), rows: rows, columns: columns, cursor: (max(0, place.row - over), place.column))
  }

  /// Lines as they were written, without the blanks at their ends, and where the cursor is in them.
  private func wholeLines() -> (lines: [[String]], cursor: (line: Int, offset: Int)) {
    var lines: [[String]] = []
    var cursor = (line: 0, offset: 0)
    var line: [String] = []
    for index in cells.indices {
      if index == row { cursor = (lines.count, line.count + column) }
      line += cells[index]
      guard !goesOn(index) else { continue }
      while line.last == " " { line.removeLast() }
      lines.append(line)
      line = []
    }
    return (lines, cursor)
  }

  /// Breaks one line; gives the offsets at which its rows begin. A wide character is never torn.
  private static func wrap(
    _ line: [String], columns: Int, into rows: inout [(cells: [String], isBroken: Bool)]
  ) -> [Int] {
    var offsets = [0]
    var row: [String] = []
    var index = 0
    while index < line.count {
      let width = index + 1 < line.count && line[index + 1].isEmpty ? 2 : 1
      if row.count + width > columns, !row.isEmpty {
        rows.append((row, true))
        row = []
        offsets.append(index)
      }
      row += line[index..<index + width]
      index += width
    }
    rows.append((row, false))
    return offsets
  }
}
