import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// `dlsync status --watch`: the present state, drawn again in place on a terminal; elsewhere a line for every change.
struct StatusWatch {
  private let context: CommandContext
  private let workspace: Workspace
  private let manifests: [Manifest]

  init(_ context: CommandContext, _ workspace: Workspace, _ manifests: [Manifest]) {
    self.context = context
    self.workspace = workspace
    self.manifests = manifests
  }

  /// Runs until a signal comes, or nobody reads any more.
  func run() async throws(DLSyncError) -> Int32 {
    let stop = StopRequest()
    context.signals.begin(stop)
    defer { context.signals.end() }
    var screen = LiveScreen()
    var reader = StatusReader(workspace, of: manifests)
    var snapshot = StatusSnapshot()
    var last: [UInt8] = []
    let draws = context.outputTerminal.canRedraw && context.settings.format == .text
    if draws { context.signals.draws(on: context.outputTerminal.descriptor) }
    defer { if draws { context.signals.showCursor() } }
    var picture: [LiveScreen.Line] = []
    while stop.signal == nil, context.output.isOpen {
      let fresh = try await reader.next()
      snapshot = fresh ?? snapshot
      if draws {
        // Also where nothing has changed: the terminal may have another size.
        picture = lines(snapshot)
        draw(picture, &screen)
      } else if fresh != nil {
        let line = line(snapshot)
        if line != last { context.output.write(line) }
        last = line
      }
      context.output.flush()
      context.output.lookForReader()
      await pause(stop)
    }
    if draws {
      // The last picture stays, without what was typed into it.
      screen.soil()
      draw(picture, &screen)
      context.output.write("\n")
    }
    return stop.signal.map { 128 + $0 } ?? 0
  }

  /// What is told where nothing can be drawn.
  private func line(_ snapshot: StatusSnapshot) -> [UInt8] {
    guard context.settings.format != .text else { return Array((WatchLines.sum(snapshot) + "\n").utf8) }
    return OutputChannel.bytes { channel in
      let json = JSONWriter(channel)
      StatusDocument(tasks: snapshot.tasks, queues: snapshot.queues).write(to: json)
      json.endLine()
    }
  }

  private func draw(_ lines: [LiveScreen.Line], _ screen: inout LiveScreen) {
    guard !context.signals.isSuspended else { return }
    if context.signals.takeContinued() { screen.forget() }
    if screen.isEmpty { context.signals.hideCursor() }
    let size = context.outputTerminal.size
    context.output.write(screen.draw(lines, columns: size.columns, rows: size.rows))
  }

  /// Half a second, or until a signal comes.
  private func pause(_ stop: StopRequest) async {
    for _ in 0..<10 where stop.signal == nil {
      await context.executor.sleep(until: MonotonicInstant.now.advanced(by: 50_000_000))
    }
  }

  private func lines(_ snapshot: StatusSnapshot) -> [LiveScreen.Line] {
    let terminal = context.outputTerminal
    let size = terminal.size
    return WatchLines(
      palette: terminal.palette, drawsUnicode: terminal.drawsUnicode, rows: size.rows, columns: size.columns
    ).lines(snapshot)
  }
}

/// The picture of a watched state: what moves first, then what waits, then what ended, and the sums below.
struct WatchLines {
  let palette: Palette
  var drawsUnicode = true
  let rows: Int
  let columns: Int

  func lines(_ snapshot: StatusSnapshot) -> [LiveScreen.Line] {
    let room = max(1, rows - 2)
    let words = StateWords(snapshot.queues)
    let tasks = snapshot.tasks.enumerated().sorted { left, right in
      let (first, second) = (Self.rank(left.element.state), Self.rank(right.element.state))
      return first == second ? left.offset < right.offset : first < second
    }.map(\.element)
    var shown = tasks.prefix(tasks.count > room ? room - 1 : room).map { line($0, words) }
    if tasks.count > shown.count {
      shown.append(plain("\(drawsUnicode ? "…" : "...") and \(tasks.count - shown.count) more", palette.dim))
    }
    return shown + [plain(Self.sum(snapshot), palette.bold)]
  }

  /// `3 tasks: 1 running, 2 completed; 8.1 MiB/s, 0:12 left`.
  static func sum(_ snapshot: StatusSnapshot) -> String {
    let sum = StateWords(snapshot.queues).sum(snapshot.tasks)
    let states = sum.isEmpty ? "" : ": " + sum
    let speeds = snapshot.tasks.compactMap(\.bytesPerSecond)
    var rest = ""
    if !speeds.isEmpty {
      let speed = speeds.reduce(0, +)
      rest = "; " + Wording.speed(speed)
      let left = snapshot.queues.compactMap { $0.progress?.estimatedTimeRemaining }.max()
      if let left { rest += ", \(Wording.clock(left)) left" }
    }
    return Wording.count(snapshot.tasks.count, "task", "tasks") + states + rest
  }

  private static func rank(_ state: TaskState) -> Int {
    switch state {
    case .running, .verifying, .publishing: 0
    case .retrying: 1
    case .waiting: 2
    case .failed: 3
    case .suspended: 4
    case .canceled, .completed, .removed: 5
    }
  }

  private func line(_ task: TaskSnapshot, _ words: StateWords) -> LiveScreen.Line {
    let sample = task.progress
    let done = task.state == .completed ? "100%" : sample.fraction.map(Wording.percent) ?? ""
    let speed = task.bytesPerSecond.map(Wording.speed) ?? task.error?.code.text ?? ""
    let left = sample.estimatedTimeRemaining.map(Wording.clock) ?? ""
    var text =
      Fitting.padded(words.word(task), columns: StateWords.columns) + " " + Fitting.rightAligned(done, columns: 4)
    if width >= 60 {
      text += "  " + Fitting.rightAligned(speed, columns: 13) + " " + Fitting.rightAligned(left, columns: 7)
    }
    let room = max(1, width - CharacterWidth.of(text) - 2)
    return plain(
      text + "  " + Fitting.middle(TerminalText.escaped(task.destination), columns: room, ellipsis: ellipsis),
      words.isInterrupted(task) ? palette.yellow : color(task.state))
  }

  private func color(_ state: TaskState) -> (String) -> String {
    switch state {
    case .running, .verifying, .publishing: palette.cyan
    case .retrying, .suspended: palette.yellow
    case .failed: palette.red
    case .completed: palette.green
    case .waiting, .canceled, .removed: palette.dim
    }
  }

  private var width: Int { max(1, columns - 1) }

  private var ellipsis: String { drawsUnicode ? Fitting.ellipsis : Fitting.plainEllipsis }

  private func plain(_ text: String, _ paint: (String) -> String) -> LiveScreen.Line {
    let text = Fitting.end(text, columns: width, ellipsis: ellipsis)
    return LiveScreen.Line(text: paint(text), columns: CharacterWidth.of(text))
  }
}
