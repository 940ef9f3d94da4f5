import DLSyncModel

/// The picture of a running apply: a line for each running file and one for all of them, for a terminal of any size.
/// No line is ever longer than the terminal is wide less one column, where some terminals break lines already.
struct BarDrawing {
  let palette: Palette
  let drawsUnicode: Bool
  let rows: Int
  let columns: Int

  /// One line of the picture before it has a width.
  private struct Row {
    let name: String
    let fraction: Double?
    let word: String?
    let completed: ByteCount
    let speed: Double?
    let secondsLeft: Double?
    let isOverall: Bool
  }

  func lines(_ state: RunProgress) -> [LiveScreen.Line] {
    guard state.total > 0 else { return [] }
    // One row stays free for the shell's own line, one is for all files together.
    let room = max(0, rows - 2)
    let running = state.running
    var shown = running.prefix(running.count > room ? max(0, room - 1) : room).map { line(row($0, state)) }
    if running.count > shown.count, room > 0 { shown.append(more(running.count - shown.count)) }
    return shown + [line(overall(state))]
  }

  private func row(_ file: RunProgress.RunningFile, _ state: RunProgress) -> Row {
    let sample = file.sample
    let word: String? =
      switch file.state {
      case .retrying: "retrying"
      case .verifying: "verifying"
      case .publishing: "publishing"
      default: nil
      }
    return Row(
      name: state.name(of: file.file) ?? "", fraction: sample.fraction, word: word, completed: sample.completed,
      speed: sample.bytesPerSecond, secondsLeft: sample.estimatedTimeRemaining, isOverall: false)
  }

  private func overall(_ state: RunProgress) -> Row {
    let sample = state.overall
    let failed = state.failed > 0 ? ", \(state.failed) failed" : ""
    return Row(
      name: "\(state.finished) of \(Wording.count(state.total, "file", "files"))\(failed)", fraction: state.fraction,
      word: nil, completed: sample.completed, speed: sample.bytesPerSecond,
      secondsLeft: sample.estimatedTimeRemaining, isOverall: true)
  }

  private func more(_ count: Int) -> LiveScreen.Line {
    let text = Fitting.end("… and \(count) more", columns: width)
    return LiveScreen.Line(text: palette.dim(text), columns: CharacterWidth.of(text))
  }

  private var width: Int { max(1, columns - 1) }

  /// Name, bar and numbers side by side; the narrower the terminal, the fewer of them.
  private func line(_ row: Row) -> LiveScreen.Line {
    let numbers = numbers(row)
    let numbersWidth = numbers.reduce(0) { $0 + CharacterWidth.of($1.plain) + 2 }
    let room = max(0, width - numbersWidth)
    let barWidth = room >= 30 ? min(40, room / 2 - 2) : 0
    let nameWidth = barWidth > 0 ? room - barWidth - 2 : room
    let name = Fitting.middle(row.name, columns: nameWidth)
    var text = row.isOverall ? palette.bold(name) : name
    var used = CharacterWidth.of(name)
    if barWidth > 0 {
      text += Fitting.blanks(nameWidth - used + 2) + bar(row.fraction, barWidth, row)
      used = nameWidth + 2 + barWidth
    }
    if !numbers.isEmpty {
      text += Fitting.blanks(room - used)
      for number in numbers { text += "  " + number.painted }
      used = room + numbersWidth
    }
    return LiveScreen.Line(text: text, columns: used)
  }

  private func numbers(_ row: Row) -> [(plain: String, painted: String)] {
    func column(_ text: String, _ columns: Int, _ paint: (String) -> String = { $0 }) -> (
      plain: String, painted: String
    ) {
      let text = Fitting.rightAligned(text, columns: columns)
      return (text, paint(text))
    }
    let percent = column(row.fraction.map(Wording.percent) ?? "", 4)
    let speed = column(
      row.word ?? row.speed.map(Wording.speed) ?? "", 12, row.word == nil ? palette.dim : palette.yellow)
    let size = column(row.completed.description, 10)
    let left = column(row.secondsLeft.map(Wording.clock) ?? "", 7, palette.dim)
    switch width {
    case 70...: return [percent, size, speed, left]
    case 48..<70: return [percent, speed]
    case 16..<48: return [percent]
    default: return []
    }
  }

  private func bar(_ fraction: Double?, _ columns: Int, _ row: Row) -> String {
    let (full, empty) = drawsUnicode ? ("━", "─") : ("#", ".")
    let done = fraction.map { min(columns, max(0, Int($0 * Double(columns)))) } ?? 0
    let filled = String(repeating: full, count: done)
    let rest = String(repeating: empty, count: columns - done)
    return (row.isOverall ? palette.green(filled) : palette.cyan(filled)) + palette.dim(rest)
  }
}
