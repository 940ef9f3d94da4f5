import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// What is shown while a run goes on: events as lines on standard output where they were asked for, progress for people
/// on standard error. It lives on the console's thread.
final class RunDisplay {
  private let context: CommandContext
  private let progress: (any ProgressDisplay)?
  private var lines: EventLines?
  private var state = RunProgress()
  private lazy var notices = Notices(environment: context.environment) { [unowned self] text in
    interject(TerminalText.escaped(text) + "\n")
  }

  /// `showsEnds` is false where the command itself says how its one file ended: without a terminal nothing is shown then.
  init(_ context: CommandContext, _ stop: StopRequest, showsEnds: Bool = true) {
    self.context = context
    progress = Self.progress(context, stop, showsEnds: showsEnds)
    lines = context.settings.format == .ndjson ? EventLines(context.json) : nil
  }

  /// How often `tick` wants to be called; nil where nothing moves.
  var interval: Duration? { progress?.interval }

  func receive(_ events: [Event]) {
    let now = MonotonicInstant.now
    for event in events {
      lines?.write(event)
      state.apply(event, at: now)
      say(event)
      notices.receive(event)
      progress?.receive(event, state)
    }
    if lines != nil { context.output.flush() }
  }

  func tick(_ now: MonotonicInstant) {
    state.forgetEnded(before: now.advanced(by: -400_000_000))
    progress?.tick(now, state)
  }

  /// Takes everything away that is not meant to stay.
  func finish() {
    progress?.finish()
    context.error.flush()
  }

  /// Warnings are said whatever progress is shown.
  private func say(_ event: Event) {
    guard !context.settings.isQuiet else { return }
    switch event {
    case .planned(let plan): for warning in plan.warnings { warn(warning) }
    case .warning(let file, let text):
      let name = file.flatMap { state.name(of: $0) }.map { "\"\($0)\": " } ?? ""
      warn(name + text)
    default: break
    }
  }

  private func warn(_ text: String) {
    interject(ErrorText.warning(text, context.errorTerminal.palette))
  }

  private func interject(_ lines: String) {
    if let progress { progress.interject(lines) } else { context.error.write(lines) }
  }

  private static func progress(_ context: CommandContext, _ stop: StopRequest, showsEnds: Bool) -> (
    any ProgressDisplay
  )? {
    let settings = context.settings
    let terminal = context.errorTerminal
    // Bars between the lines of another stream on the same terminal would tear both.
    let isShared = settings.format == .ndjson && context.outputTerminal.isTerminal
    switch settings.progress {
    case .none: return nil
    case _ where settings.isQuiet: return nil
    case .auto where terminal.canRedraw && !isShared, .bar where terminal.canRedraw:
      return BarProgress(context, stop)
    case .auto where !showsEnds: return nil
    default: return PlainProgress(context, stop)
    }
  }
}

/// A way to show how far a run is.
protocol ProgressDisplay: AnyObject {
  var interval: Duration { get }
  /// `state` has taken the event into account already.
  func receive(_ event: Event, _ state: RunProgress)
  func tick(_ now: MonotonicInstant, _ state: RunProgress)
  /// Prints whole lines without disturbing what is shown.
  func interject(_ lines: String)
  func finish()
}
