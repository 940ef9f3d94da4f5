import DLSyncModel
import DLSyncThreading

/// The owner of both output streams: whatever is printed is printed on its thread, so that a slow reader or a stopped
/// terminal blocks nothing else.
actor Console {
  private let executor = ThreadExecutor(name: "dlsync-console")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs one command line on this thread and returns the exit status.
  ///
  /// `unreadable`: what of the command line or the environment is no text.
  func run(
    _ arguments: [String], _ environment: [String: String], unreadable: String? = nil, output: Int32, error: Int32,
    signals: SignalWatch
  ) async -> Int32 {
    let out = OutputChannel(descriptor: output)
    let err = OutputChannel(descriptor: error)
    let invocation: Invocation
    do throws(UsageError) {
      if let unreadable { throw UsageError.notUTF8(unreadable) }
      invocation = try ArgumentReader.read(arguments)
    } catch {
      return refuse(error, arguments, out, err)
    }
    let context = CommandContext(
      invocation: invocation, environment: environment, output: out, outputDescriptor: output, error: err,
      errorDescriptor: error, signals: signals, executor: executor)
    let status = await Self.execute(context)
    return context.finish(status)
  }

  nonisolated func stop() { executor.stop() }

  private static func execute(_ context: CommandContext) async -> Int32 {
    switch context.command {
    case .plan: await PlanCommand.run(context)
    case .apply: await context.settings.isDryRun ? PlanCommand.run(context) : ApplyCommand.run(context)
    case .status: await StatusCommand.run(context)
    case .verify: await VerifyCommand.run(context)
    case .check: CheckCommand.run(context)
    case .lock: await LockCommand.run(context)
    case .`import`: ImportCommand.run(context)
    case .export: ExportCommand.run(context)
    case .get: await GetCommand.run(context)
    case .schema: SchemaCommand.run(context)
    case .`init`: InitCommand.run(context)
    case .state: await StateCommand.run(context)
    case .doctor: await DoctorCommand.run(context)
    case .cache: await CacheCommand.run(context)
    case .agent: await AgentCommand.run(context)
    case .log: await LogCommand.run(context)
    case .wait: await WaitCommand.run(context)
    case .pause, .resume, .cancel, .restart, .remove, .priority, .reorder, .headers: await ControlCommand.run(context)
    case .completions: await CompletionsCommand.run(context)
    case .version: VersionCommand.run(context)
    case .help: HelpCommand.run(context)
    }
  }

  private func refuse(
    _ error: UsageError, _ arguments: [String], _ out: OutputChannel, _ err: OutputChannel
  ) -> Int32 {
    var command = ArgumentReader.command(of: arguments)
    if case .unknownCommand = error { command = nil }
    let (error, format) = (error.asError, ArgumentReader.format(of: arguments))
    err.write(ErrorText.render(error, .plain))
    if format != .text { FailureDocument(command: command, error: error).write(to: JSONWriter(out), format) }
    out.flush()
    err.flush()
    return error.code.exitStatus
  }
}
