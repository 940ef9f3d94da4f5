import DLSyncModel

/// Reads one external list from its first line to its last. Its records become files as they come; nothing of the list is
/// kept but the lines that something is wrong with.
struct ListPass {
  private let declaration: ListDeclaration
  private let state: DecodingState
  private let decoder: FileDecoder
  private var lines: [Int: String] = [:]

  /// `state` is that of the manifest's entries, whose `defaults` count for lists as well.
  init(_ declaration: ListDeclaration, _ state: DecodingState, _ head: Head, scope: Scope) {
    self.declaration = declaration
    self.state = state
    decoder = FileDecoder(state: state, head: head, scope: scope, list: declaration)
  }

  /// Adds each file to `files`, and answers what is wrong with the list, each with its place in it. Throws what keeps it
  /// from being read at all.
  mutating func run(_ open: ListOpener, into files: inout EntryPacker) throws(DLSyncError) -> [Diagnostic] {
    let problems = state.problems
    state.problems = ProblemList()
    state.isLiteral = true
    defer {
      state.problems = problems
      state.isLiteral = false
    }
    var reader = LineReader(try open(declaration.path))
    var records = ListRecords(declaration.format, state)
    reading: while true {
      switch try reader.next() {
      case .end: break reading
      case .tooLong:
        state.problems.report(
          TextPosition(reader.number, 1), path: state.pathText,
          "the line is longer than \(ByteCount(Int64(LineReader.greatestLength)))")
        break reading
      case .line(let line):
        let place = TextPosition(reader.number, 1)
        if records.isUsual(line, { decoder.pack($0, at: place, into: &files) }) { continue }
        let before = state.problems.count
        let goesOn = records.take(line, number: reader.number, ending: reader.ending) {
          decoder.decode($0, into: &files)
        }
        if state.problems.count > before, records.mayShow(line) { note(line, number: reader.number) }
        if !goesOn { break reading }
      }
    }
    records.finish { decoder.decode($0, into: &files) }
    return diagnostics()
  }

  private mutating func note(_ line: ArraySlice<UInt8>, number: Int) {
    guard !state.problems.isFull else { return }
    lines[number] = String(decoding: line, as: UTF8.self)
  }

  private func diagnostics() -> [Diagnostic] {
    let problems = state.problems
    var diagnostics = problems.problems.map { problem in
      let line = Int(problem.place.line)
      let location = SourceLocation(file: declaration.path, line: line, column: Int(problem.place.column))
      let shown = lines[line].map { text in
        DiagnosticWriter.window(MaskedLine(SecretText.redacted(text), []), around: Int(problem.place.column))
      }
      return Diagnostic(
        location, path: problem.path, problem.message, hint: problem.hint, sourceLine: shown?.text,
        caretColumn: shown?.column)
    }
    if problems.uncounted > 0, let last = diagnostics.last {
      diagnostics.append(
        Diagnostic(
          last.location, path: "", "\(problems.uncounted) more errors are not shown", hint: "correct these first",
          sourceLine: nil))
    }
    return diagnostics
  }
}
