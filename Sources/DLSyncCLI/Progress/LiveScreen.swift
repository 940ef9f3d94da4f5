/// The lines at the bottom of a terminal that are drawn again and again in place (ECMA-48). A value: it makes the text
/// that changes the screen, and remembers what is there.
struct LiveScreen {
  /// A line and the columns that it takes, colours not counted.
  struct Line: Equatable {
    let text: String
    let columns: Int
  }

  /// The lines that are on the screen; the cursor stands at the beginning of the last one, also when a narrower terminal
  /// has broken that one into several rows.
  private var drawn: [Line] = []
  /// How wide the terminal was then.
  private var width = 0

  /// Whether nothing is on the screen.
  var isEmpty: Bool { drawn.isEmpty }

  /// Draws these lines over the last ones; a line that is there already is left alone. `columns` is the present width:
  /// after a resize the terminal has broken longer lines, and they take more rows than they did. `rows` is the present
  /// height: what a lower terminal has pushed out at the top is out of reach.
  mutating func draw(_ lines: [Line], columns: Int, rows: Int = .max) -> String {
    guard !lines.isEmpty else { return erase(columns: columns, rows: rows) }
    guard lines != drawn || columns != width else { return "" }
    var text = toTop(columns, rows)
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "\r\n" }
      // What is typed is shown in the last line: that one is never left as it is.
      let isThere = columns == width && index < lines.count - 1 && index < drawn.count && drawn[index] == line
      if !isThere { text += line.text + "\u{1b}[K" }
    }
    // Lines that are not needed any more, and rests of broken ones.
    if height(drawn[...], columns) > lines.count { text += "\u{1b}[J" }
    drawn = lines
    width = columns
    return text + "\r"
  }

  /// Takes the lines away; the cursor stands where the first one began.
  mutating func erase(columns: Int, rows: Int = .max) -> String {
    guard !drawn.isEmpty else { return "" }
    defer { drawn = [] }
    return toTop(columns, rows) + "\u{1b}[J"
  }

  /// Somebody typed into the last line: the next drawing draws that one again, whatever it is.
  mutating func soil() {
    if let last = drawn.popLast() { drawn.append(Line(text: "", columns: last.columns)) }
  }

  /// Leaves what is on the screen to its fate and begins anew below it.
  mutating func forget() { drawn = [] }

  private func toTop(_ columns: Int, _ rows: Int) -> String {
    guard !drawn.isEmpty else { return "\r" }
    let up = min(height(drawn.dropLast(), columns), max(0, rows - 1))
    return up > 0 ? "\r\u{1b}[\(up)A" : "\r"
  }

  private func height(_ lines: ArraySlice<Line>, _ columns: Int) -> Int {
    lines.reduce(0) { $0 + max(1, ($1.columns + columns - 1) / max(1, columns)) }
  }
}
