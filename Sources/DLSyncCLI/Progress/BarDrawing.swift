import DLSyncModel
import DLSyncThreading

/// The picture of a running apply: a line for each running file and one for all of them, for a terminal of any size.
/// No line is ever longer than the terminal is wide less one column, where some terminals break lines already.
///
/// How wide a name beyond ASCII is, terminals do not agree on (emoji of several parts, vowel signs). So nothing behind such
/// a name is placed by counting: the terminal is told the column, and not to break the line.
struct BarDrawing {
  let palette: Palette
  let drawsUnicode: Bool
  let rows: Int
  let columns: Int
  /// The moment of the picture: waits are counted down from it.
  var now = MonotonicInstant(nanoseconds: 0)

  /// One line of the picture before it has a width.
  private struct Row {
    let name: String
    /// The name where there is no room for it.
    var shortName: String?
    var fraction: Double?
    /// What stands in place of the speed.
    var word: String?
    /// What stands in place of the bar and all numbers.
    var message: String?
    var sample: ProgressSample
    var paint: (String) -> String
  }

  func lines(_ state: RunProgress) -> [LiveScreen.Line] {
    guard state.total > 0 else { return [] }
    // One row stays free for the shell's own line, one is for all files together.
    let room = max(0, rows - 2)
    let running = state.running
    var shown = running.prefix(running.count > room ? max(0, room - 1) : room).map { line(row($0)) }
    if running.count > shown.count, room > 0 { shown.append(more(running.count - shown.count)) }
    return shown + [line(overall(state), isOverall: true)]
  }

  /// What is shown before there is a plan.
  func planning(_ seconds: Double) -> LiveScreen.Line {
    note("comparing the manifest with what is there, \(Wording.clock(seconds))")
  }

  private func row(_ file: RunProgress.RunningFile) -> Row {
    let sample = file.sample
    var row = Row(name: file.name, fraction: sample.fraction, sample: sample, paint: palette.cyan)
    switch file.state {
    case .retrying:
      row.message = waiting(file)
      row.paint = palette.yellow
    case .waiting where file.error != nil:
      row.message = "waiting" + (file.error.map { ": " + ErrorText.short($0) } ?? "")
      row.paint = palette.yellow
    case .verifying: row.word = "verifying"
    case .publishing: row.word = "publishing"
    case .completed:
      row.word = "done"
      row.paint = palette.green
    case .failed:
      row.message = "failed" + (file.error.map { ": " + ErrorText.short($0) } ?? "")
      row.paint = palette.red
    default: break
    }
    return row
  }

  /// `retrying in 12 s: the server answered 503`.
  private func waiting(_ file: RunProgress.RunningFile) -> String {
    let left = file.nextAttempt.map { max(0, $0.seconds(since: now)) }
    let time = left.map { $0 <= 0 ? " soon" : " in \(Self.wait($0))" } ?? ""
    return "retrying\(time)" + (file.error.map { ": " + ErrorText.short($0) } ?? "")
  }

  /// `12 s`, `3 min 20 s`: no fraction that would flicker.
  private static func wait(_ seconds: Double) -> String {
    seconds < 60 ? "\(Int(seconds.rounded(.up))) s" : Wording.duration(seconds.rounded(.up))
  }

  private func overall(_ state: RunProgress) -> Row {
    let failed = state.failed > 0 ? ", \(Grouped.text(state.failed)) failed" : ""
    let files = state.total == 1 ? "1 file" : "\(Grouped.text(state.total)) files"
    return Row(
      name: "\(Grouped.text(state.finished)) of \(files)\(failed)",
      shortName: "\(state.finished)/\(state.total)\(failed)", fraction: state.fraction, sample: state.overall,
      paint: palette.green)
  }

  private func more(_ count: Int) -> LiveScreen.Line {
    note("\(drawsUnicode ? "…" : "...") and \(count) more")
  }

  private func note(_ text: String) -> LiveScreen.Line {
    let text = Fitting.end(text, columns: width, ellipsis: ellipsis)
    return LiveScreen.Line(text: palette.dim(text), columns: CharacterWidth.of(text))
  }

  private var width: Int { max(1, columns - 1) }

  private var ellipsis: String { drawsUnicode ? Fitting.ellipsis : Fitting.plainEllipsis }

  /// Name, bar and numbers side by side; the narrower the terminal, the fewer of them.
  private func line(_ row: Row, isOverall: Bool = false) -> LiveScreen.Line {
    let numbers = numbers(row)
    let numbersWidth = numbers.reduce(0) { $0 + CharacterWidth.of($1.plain) + 2 }
    let room = max(0, width - numbersWidth)
    let barWidth = room >= 30 ? min(36, max(10, room / 3)) : 0
    let nameWidth = barWidth > 0 ? room - barWidth - 2 : room
    if let message = row.message { return line(row, message, nameWidth) }
    var name = row.name
    if let short = row.shortName, CharacterWidth.of(name) > nameWidth { name = short }
    // Numbers stand at the right edge, whatever is left of them.
    var (text, used) = begin(name, nameWidth, barWidth > 0 ? nameWidth + 2 : numbers.isEmpty ? 0 : room)
    if isOverall { text = palette.bold(text) }
    if barWidth > 0 {
      text += bar(row, barWidth)
      used += barWidth
    }
    for number in numbers {
      text += "  "
      text += number.painted
    }
    return LiveScreen.Line(text: text, columns: used + numbersWidth)
  }

  /// A name cut to its columns, and the way from its end to the column where the line goes on.
  private func begin(_ name: String, _ nameWidth: Int, _ column: Int) -> (text: String, used: Int) {
    let name = Fitting.middle(name, columns: nameWidth, ellipsis: ellipsis)
    let used = CharacterWidth.of(name)
    let isCertain = name.utf8.allSatisfy { $0 < 0x80 }
    if isCertain { return (name + Fitting.blanks(column - used), max(used, column)) }
    let way = column > used ? "\u{1b}[K\u{1b}[\(column + 1)G" : ""
    return ("\u{1b}[?7l\(name)\u{1b}[?7h\(way)", max(used, column))
  }

  /// A name and words beside it; where there is no room for both, the name gives way down to a quarter of it.
  private func line(_ row: Row, _ message: String, _ nameWidth: Int) -> LiveScreen.Line {
    let nameWidth = min(nameWidth, max(width / 4, width - 2 - CharacterWidth.of(message)))
    let (name, used) = begin(row.name, nameWidth, nameWidth > 0 ? nameWidth + 2 : 0)
    let words = Fitting.end(message, columns: width - used, ellipsis: ellipsis)
    return LiveScreen.Line(text: name + row.paint(words), columns: used + CharacterWidth.of(words))
  }

  private typealias Column = (plain: String, painted: String)

  private func numbers(_ row: Row) -> [Column] {
    let sample = row.sample
    let percent = column(row.fraction.map(Wording.percent) ?? "", 4)
    let speed = column(
      row.word ?? sample.bytesPerSecond.map(Wording.speed) ?? "", 12, row.word == nil ? palette.dim : row.paint)
    let left = column(row.word == nil ? sample.estimatedTimeRemaining.map(Wording.clock) ?? "" : "", 7, palette.dim)
    switch width {
    case 104...:
      let size = sample.total.map { Wording.share(sample.completed, of: $0) } ?? sample.completed.description
      return [percent, column(size, 17), speed, left]
    case 70..<104: return [percent, column(sample.completed.description, 10), speed, left]
    case 48..<70: return [percent, speed]
    case 16..<48: return [percent]
    default: return []
    }
  }

  private func column(_ text: String, _ columns: Int, _ paint: (String) -> String = { $0 }) -> Column {
    let text = Fitting.rightAligned(text, columns: columns)
    return (text, paint(text))
  }

  /// In half columns where the terminal can draw them. The rest is told by its colour, or by a thinner line.
  private func bar(_ row: Row, _ columns: Int) -> String {
    let halves = row.fraction.map { min(columns * 2, max(0, Int($0 * Double(columns * 2)))) } ?? 0
    guard drawsUnicode else {
      let done = halves / 2
      return row.paint(String(repeating: "#", count: done))
        + palette.dim(String(repeating: ".", count: columns - done))
    }
    let filled = Self.cut(Self.heavy, halves / 2) + (halves % 2 == 1 ? "╸" : "")
    let rest = Self.cut(palette.isColored ? Self.heavy : Self.light, columns - (halves + 1) / 2)
    return row.paint(filled) + palette.faint(rest)
  }

  /// Bars are cut from these: to repeat a character takes longer.
  private static let heavy = String(repeating: "━", count: 36)
  private static let light = String(repeating: "─", count: 36)

  /// So many of the characters, each of which takes three bytes.
  private static func cut(_ line: String, _ count: Int) -> String {
    String(line[..<line.utf8.index(line.startIndex, offsetBy: count * 3)])
  }
}
