import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// Progress for a person at a terminal: bars that are redrawn in place and gone at the end.
final class BarProgress: ProgressDisplay {
  let interval = Duration.milliseconds(100)

  private let channel: OutputChannel
  private let terminal: Terminal
  private let signals: SignalWatch
  private let stop: StopRequest
  private let lines: ProgressLines
  private let keepsLines: Bool
  private var screen = LiveScreen()
  private let begun = MonotonicInstant.now
  private var lastDrawing = MonotonicInstant(nanoseconds: 0)
  private var lastSize = (rows: 0, columns: 0)
  private var saidStop = false

  init(_ context: CommandContext, _ stop: StopRequest) {
    channel = context.error
    terminal = context.errorTerminal
    signals = context.signals
    self.stop = stop
    // The report in words tells what failed; where it is for programs, people need a line.
    keepsLines = context.settings.isVerbose || context.settings.format != .text
    lines = ProgressLines(palette: terminal.palette, isVerbose: context.settings.isVerbose)
  }

  func receive(_ event: Event, _ state: RunProgress) {
    if keepsLines, let line = lines.line(event, state) { interject(line) }
  }

  func tick(_ now: MonotonicInstant, _ state: RunProgress) {
    if !saidStop, let signal = stop.signal {
      saidStop = true
      interject(StopNotice.text(signal))
    }
    guard !signals.isSuspended else { return }
    if signals.takeContinued() { screen.forget() }
    let size = terminal.size
    // Events come whenever they like; a terminal that was resized does not wait.
    guard now.seconds(since: lastDrawing) >= state.interval - 0.02 || size != lastSize else { return }
    (lastDrawing, lastSize) = (now, size)
    let drawing = BarDrawing(
      palette: terminal.palette, drawsUnicode: terminal.drawsUnicode, rows: size.rows, columns: size.columns, now: now)
    // Most plans are made before anybody could read that they are being made.
    let waits = !state.hasPlan && now.seconds(since: begun) > 0.5
    let lines = waits ? [drawing.planning(now.seconds(since: begun))] : drawing.lines(state)
    if screen.isEmpty, !lines.isEmpty { signals.hideCursor() }
    channel.write(screen.draw(lines, columns: size.columns, rows: size.rows))
    channel.flush()
  }

  /// Lines that stay go above the bars, which the next tick draws again.
  func interject(_ lines: String) {
    channel.write(erased + lines)
    lastDrawing = MonotonicInstant(nanoseconds: 0)
  }

  func finish() {
    channel.write(erased)
    channel.flush()
    signals.showCursor()
  }

  /// Takes the bars away.
  private var erased: String {
    // Where the shell had the terminal meanwhile, what is above the cursor is not ours.
    if signals.takeContinued() { screen.forget() }
    let size = terminal.size
    return screen.erase(columns: size.columns, rows: size.rows)
  }
}
