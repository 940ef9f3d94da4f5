import DLSyncKit
import DLSyncModel
import DLSyncSystem
import DLSyncThreading
import Glibc

/// What every command works with: its settings, its streams, and the one place that says what went wrong.
/// It lives on the console's thread.
final class CommandContext {
  let command: CommandWord
  let arguments: [String]
  let settings: Settings
  let output: OutputChannel
  let error: OutputChannel
  let outputTerminal: Terminal
  let errorTerminal: Terminal
  let json: JSONWriter
  let signals: SignalWatch
  let executor: ThreadExecutor
  let environment: [String: String]

  init(
    invocation: Invocation, environment: [String: String], output: OutputChannel, outputDescriptor: Int32,
    error: OutputChannel, errorDescriptor: Int32, signals: SignalWatch, executor: ThreadExecutor
  ) {
    command = invocation.command
    arguments = invocation.arguments
    settings = invocation.settings
    self.environment = environment
    self.output = output
    self.error = error
    let color = invocation.settings.color
    outputTerminal = Terminal(descriptor: outputDescriptor, environment: environment, color: color)
    errorTerminal = Terminal(descriptor: errorDescriptor, environment: environment, color: color)
    json = JSONWriter(output)
    self.signals = signals
    self.executor = executor
  }

  /// Where results in words go: standard output, but with --quiet only trouble is left of them, and that belongs on
  /// standard error.
  var people: OutputChannel { settings.isQuiet ? error : output }

  /// The terminal behind `people`.
  var peopleTerminal: Terminal { settings.isQuiet ? errorTerminal : outputTerminal }

  /// The system below, on the state folder that the command line or the environment names.
  func workspace() throws(DLSyncError) -> Workspace {
    let folder =
      if let folder = settings.stateFolder { folder } else {
        try Workspace.defaultStateFolder(environment: environment)
      }
    try Workspace.requireReplacedHome(folder)
    for report in settings.reports { try Workspace.requireReplacedHome(report.path) }
    var workspace = Workspace(stateFolder: folder, environment: environment)
    workspace.launchesAgent = signals.ownsProcess
    workspace.cacheFolder = try Workspace.cacheFolder(settings.cache, environment: environment)
    return workspace
  }

  /// The same for commands that touch no state.
  func workspaceWithoutState() -> Workspace {
    (try? workspace()) ?? Workspace(stateFolder: "/", environment: environment)
  }

  /// Who asks servers for files, where the command line says that a file tells. What is odd about that file is told.
  func netrc(_ workspace: Workspace) throws(DLSyncError) -> Netrc? {
    let netrc: Netrc
    switch settings.netrc {
    case .none: return nil
    case .home: netrc = try workspace.netrc()
    case .file(let path): netrc = try workspace.netrc(at: path)
    }
    if let warning = netrc.warning, !settings.isQuiet { warn(warning) }
    return netrc
  }

  /// Writes a path on a line of its own, for whoever reads it: programs get its bytes, a terminal nothing that it would obey.
  func write(path: String) {
    output.write((outputTerminal.isTerminal ? TerminalText.escaped(path) : path) + "\n")
  }

  /// Tells a person about an error.
  func report(_ trouble: DLSyncError, showsCode: Bool = true) {
    error.write(ErrorText.render(trouble, errorTerminal.palette, showsCode: showsCode))
    error.flush()
  }

  /// Tells a person on standard error what is neither an error nor a warning.
  func say(_ text: String) {
    error.write("dlsync: " + TerminalText.escaped(text) + "\n")
    error.flush()
  }

  /// Tells a person about something that fails nothing.
  func warn(_ text: String) {
    error.write(ErrorText.warning(text, errorTerminal.palette))
    error.flush()
  }

  /// Tells people and programs that a command could not do its work, and returns its exit status.
  func fail(_ trouble: DLSyncError, manifest: String? = nil) -> Int32 {
    report(trouble)
    if settings.format != .text {
      FailureDocument(command: command, manifest: manifest, error: trouble).write(to: json, settings.format)
    }
    return trouble.code.exitStatus
  }

  /// Gives out what is buffered. Output that got lost turns success into failure.
  func finish(_ status: Int32) -> Int32 {
    output.flush()
    defer { error.flush() }
    guard let trouble = output.failure else { return status }
    warn("standard output could not be written: \(trouble.text)")
    return status == 0 ? 1 : status
  }
}
