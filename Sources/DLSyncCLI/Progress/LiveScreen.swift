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
  /// after a resize the terminal has broken longer lines, and they take more rows than they did.
  mutating func draw(_ lines: [Line], columns: Int) -> String {
    guard !lines.isEmpty else { return erase(columns: columns) }
    guard lines != drawn || columns != width else { return "" }
    var text = toTop(columns)
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "\r\n" }
      // What is typed is shown in the last line: that one is never left as it is.
      let isThere = columns == width && index < lines.count - 1 && index < drawn.count && drawn[index] == line
      if !isThere { text += line.text + "\u{1b}[K" }
    }
    // Lines that are not needed any more, and rests of broken ones.
    if rows(drawn[...], columns) > lines.count { text += "\u{1b}[J" }
    drawn = lines
    width = columns
    return text + "\r"
  }

  /// Takes the lines away; the cursor stands where the first one began.
  mutating func erase(columns: Int) -> String {
    guard !drawn.isEmpty else { return "" }
    defer { drawn = [] }
    return toTop(columns) + "\u{1b}[J"
  }

  /// Leaves what is on the screen to its fate and begins anew below it.
  mutating func forget() { drawn = [] }

  private func toTop(_ columns: Int) -> String {
    guard !drawn.isEmpty else { return "\r" }
    let up = rows(drawn.dropLast(), columns)
    return up > 0 ? "\r\u{1b}[\(up)A" : "\r"
  }

  private func rows(_ lines: ArraySlice<Line>, _ columns: Int) -> Int {
    lines.reduce(0) { $0 + max(1, ($1.columns + columns - 1) / max(1, columns)) }
  }
}
