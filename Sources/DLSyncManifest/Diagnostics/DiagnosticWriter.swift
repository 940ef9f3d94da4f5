import DLSyncModel

/// Makes diagnostics of errors: in the order of their places, each with its line, secrets replaced.
struct DiagnosticWriter {
  /// The longest part of a line that is quoted.
  private static let greatestWidth = 160

  let source: SourceText
  let file: String
  /// Whether the text is no YAML to its end, so that what its lines mean is not certain.
  let isBroken: Bool

  func write(_ list: ProblemList) -> [Diagnostic] {
    let problems = list.problems.enumerated().sorted { left, right in
      (left.element.place, left.offset) < (right.element.place, right.offset)
    }.map(\.element)
    let numbers = Set(problems.map { Int($0.place.line) })
    let lines = source.lines(numbers)
    let masks = SecretScan(source: source, lines: numbers).run()
    // A line may be a whole manifest, and have every error of it.
    let shown = Dictionary(uniqueKeysWithValues: lines.map { ($0, masks.mask($1, number: $0)) })
    var diagnostics = problems.map { diagnostic($0, shown[Int($0.place.line)]) }
    if list.uncounted > 0, let last = problems.last {
      diagnostics.append(
        Diagnostic(
          location(last.place), path: "", "\(list.uncounted) more errors are not shown",
          hint: "correct these first", sourceLine: nil))
    }
    return diagnostics
  }

  private func diagnostic(_ problem: ProblemList.Problem, _ line: MaskedLine?) -> Diagnostic {
    let shown = line.map { Self.window($0, around: $0.column(of: Int(problem.place.column))) }
    return Diagnostic(
      location(problem.place), path: problem.path, problem.message, hint: problem.hint, sourceLine: shown?.text,
      caretColumn: shown?.column)
  }

  private func location(_ place: TextPosition) -> SourceLocation {
    SourceLocation(file: file, line: Int(place.line), column: Int(place.column))
  }

  /// The part of a long line that lies around a column (counted in scalars), and the column within that part, counted in
  /// characters as a caret needs it.
  static func window(_ line: MaskedLine, around column: Int) -> (text: String, column: Int) {
    let scalars = line.scalars
    let column = min(column, scalars.count + 1)
    guard scalars.count > greatestWidth else {
      return (text(scalars[...]), text(scalars[..<(column - 1)]).count + 1)
    }
    let begin = max(0, min(column - 1 - greatestWidth / 2, scalars.count - greatestWidth))
    let end = min(scalars.count, begin + greatestWidth)
    let before = (begin > 0 ? "…" : "") + text(scalars[begin..<max(begin, column - 1)])
    let whole = (begin > 0 ? "…" : "") + text(scalars[begin..<end]) + (end < scalars.count ? "…" : "")
    return (whole, before.count + 1)
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
