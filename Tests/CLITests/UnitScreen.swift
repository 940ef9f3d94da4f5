@testable import DLSyncCLI

/// A terminal of our own: enough of ECMA-48 to see what the bars look like, and strict about the rest.
struct UnitScreen {
  private(set) var rows: Int
  private(set) var columns: Int
  /// What is in each cell; a wide character leaves the one behind it empty.
  private(set) var cells: [[String]] = []
  private(set) var row = 0
  private(set) var column = 0
  /// Rows that went out at the top.
  private(set) var scrolled = 0
  private(set) var isCursorVisible = true
  /// Whether what is written beyond the last column goes on in the next row, as it should not (DECAWM).
  private(set) var isWrapping = true
  /// How wide this terminal thinks that a character is.
  private let measure: (Character) -> Int
  /// Rows that go on in the next one, because the terminal became too narrow for them.
  private var isBroken: [Bool] = []
  /// Things that no drawing may do.
  private(set) var faults: [String] = []

  init(rows: Int, columns: Int, measure: @escaping (Character) -> Int = CharacterWidth.of) {
    self.measure = measure
    self.rows = rows
    self.columns = columns
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    isBroken = Array(repeating: false, count: rows)
  }

  /// The rows that hold anything, blanks at their ends cut.
  var lines: [String] {
    let texts = cells.map { row in
      let text = row.joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    return Array(texts.reversed().drop { $0.isEmpty }.reversed())
  }

  mutating func write(_ text: String) {
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\u{1b}": escape(&rest)
      case "\r": column = 0
      case "\r\n":
        column = 0
        feed()
      case "\n": feed()
      case "\u{7}": break
      default: put(character)
      }
    }
  }

  private mutating func put(_ character: Character) {
    let width = measure(character)
    if column + width > columns, isWrapping { faults.append("\(character) is written beyond column \(columns)") }
    guard column + width <= columns, width > 0 else { return }
    cells[row][column] = String(character)
    for behind in column + 1..<max(column + width, column + 1) { cells[row][behind] = "" }
    column += width
  }

  private mutating func feed() {
    guard row == rows - 1 else {
      row += 1
      return
    }
    cells.removeFirst()
    cells.append(Array(repeating: " ", count: columns))
    isBroken.removeFirst()
    isBroken.append(false)
    scrolled += 1
  }

  private mutating func escape(_ rest: inout Substring) {
    guard rest.popFirst() == "[" else {
      faults.append("an escape that is no control sequence")
      return
    }
    var parameters = ""
    while let character = rest.popFirst() {
      guard character.isLetter else {
        parameters.append(character)
        continue
      }
      if parameters == "?25" { isCursorVisible = character == "h" }
      if parameters == "?7" { isWrapping = character == "h" }
      control(character, Int(parameters) ?? (parameters.isEmpty ? 1 : 0))
      return
    }
  }

  private mutating func control(_ letter: Character, _ number: Int) {
    switch letter {
    case "A":
      if number > row { faults.append("the cursor leaves the screen at the top") }
      row = max(0, row - number)
    case "G":
      if !(1...columns).contains(number) { faults.append("there is no column \(number)") }
      column = min(max(number, 1), columns) - 1
    case "K": clear(row, from: column)
    case "J":
      clear(row, from: column)
      for below in (row + 1)..<max(rows, row + 1) { clear(below, from: 0) }
    case "m", "h", "l": break
    default: faults.append("unexpected control sequence \(letter)")
    }
  }

  private mutating func clear(_ row: Int, from column: Int) {
    for index in column..<max(column, columns) { cells[row][index] = " " }
    isBroken[row] = false
  }

  func goesOn(_ row: Int) -> Bool { isBroken[row] }

  /// Takes the contents of a resized terminal.
  mutating func take(
    _ lines: ArraySlice<(cells: [String], isBroken: Bool)>, rows: Int, columns: Int, cursor: (row: Int, column: Int)
  ) {
    (self.rows, self.columns, row, column) = (rows, columns, cursor.row, cursor.column)
    let empty = Array(repeating: " ", count: columns)
    cells = lines.map { Array(($0.cells + empty).prefix(columns)) }
    isBroken = lines.map(\.isBroken)
    while cells.count < rows {
      cells.append(empty)
      isBroken.append(false)
    }
  }
}
