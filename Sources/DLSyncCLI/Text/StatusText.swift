import DLSyncModel

/// Recorded tasks as a table that fits the terminal: state, progress, size, destination, error.
struct StatusText {
  private let palette: Palette
  private let columns: Int?

  init(palette: Palette, columns: Int?) {
    self.palette = palette
    self.columns = columns
  }

  init(_ context: CommandContext) {
    self.init(palette: context.outputTerminal.palette, columns: context.outputTerminal.columns)
  }

  func write(_ tasks: [TaskSnapshot], _ queues: [QueueSnapshot], to channel: OutputChannel) {
    guard !tasks.isEmpty else {
      channel.write("No tasks are recorded.\n")
      return
    }
    let errorWidth = tasks.reduce(0) { max($0, Self.errorText($1).utf8.count) }
    var nameWidth = tasks.reduce(11) { max($0, CharacterWidth.of(TerminalText.escaped($1.destination))) }
    if let columns { nameWidth = max(8, min(nameWidth, columns - 1 - 31 - (errorWidth > 0 ? errorWidth + 2 : 0))) }
    let heading = row("STATE", "DONE", "SIZE", "DESTINATION", nameWidth, "ERROR", errorWidth)
    channel.write(palette.dim(heading) + "\n")
    let words = StateWords(queues)
    for task in tasks { channel.write(line(task, words, nameWidth, errorWidth) + "\n") }
    channel.write("\n" + summary(tasks, queues) + "\n")
  }

  private func line(_ task: TaskSnapshot, _ words: StateWords, _ nameWidth: Int, _ errorWidth: Int) -> String {
    let sample = task.progress
    let done = task.state == .completed ? "100%" : sample.fraction.map(Wording.percent) ?? ""
    let size = (task.totalBytes ?? (task.completedBytes == .zero ? nil : task.completedBytes))?.description ?? ""
    let name = TerminalText.escaped(task.destination)
    let shown = columns == nil ? name : Fitting.middle(name, columns: nameWidth)
    let paint = words.isInterrupted(task) ? palette.yellow : color(task.state)
    return row(words.word(task), done, size, shown, nameWidth, Self.errorText(task), errorWidth, paint: paint)
  }

  private func row(
    _ state: String, _ done: String, _ size: String, _ name: String, _ nameWidth: Int, _ error: String,
    _ errorWidth: Int, paint: (String) -> String = { $0 }
  ) -> String {
    var line = paint(Fitting.padded(state, columns: StateWords.columns)) + "  " + Fitting.rightAligned(done, columns: 4)
    line += "  " + Fitting.rightAligned(size, columns: 10) + "  "
    line += errorWidth > 0 && !error.isEmpty ? Fitting.padded(name, columns: nameWidth) + "  " + error : name
    return line
  }

  private func color(_ state: TaskState) -> (String) -> String {
    switch state {
    case .completed: palette.green
    case .failed: palette.red
    case .running, .verifying, .publishing: palette.cyan
    case .retrying, .suspended: palette.yellow
    default: palette.dim
    }
  }

  /// `3 tasks: 2 completed, 1 failed.`, the states in the order of a task's life.
  private func summary(_ tasks: [TaskSnapshot], _ queues: [QueueSnapshot]) -> String {
    let running = queues.compactMap(\.runningProcess)
    let processes = Set(running).sorted().map { "process \($0)" }
    let suffix = processes.isEmpty ? "" : " Running in \(UsageError.list(processes, "and"))."
    return "\(Wording.count(tasks.count, "task", "tasks")): \(StateWords(queues).sum(tasks)).\(suffix)"
  }

  private static func errorText(_ task: TaskSnapshot) -> String { task.error?.code.text ?? "" }
}
