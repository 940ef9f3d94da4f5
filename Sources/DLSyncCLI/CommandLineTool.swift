import DLSyncKit
import DLSyncModel
import Glibc

/// The program: a command line in, streams and an exit status out.
public enum CommandLineTool {
  /// Runs the process's command line and ends the process. The calling thread becomes the one that waits for signals.
  public static func main(_ process: ProcessEnvironment) -> Never {
    let signals = SignalWatch(standardError: 2, ownsProcess: true)
    signals.prepareProcess()
    // On the console's thread from its beginning: what needs no other thread starts none.
    Task { @ConsoleThread in
      exit(
        await ConsoleThread.shared.run(
          process.arguments, process.variables, unreadable: process.unreadable.first, output: 1, error: 2,
          signals: signals))
    }
    signals.watch()
  }

  /// Runs one command line and returns its exit status. Signals are left to the caller.
  ///
  /// - Parameters:
  ///   - arguments: what stands behind the program's name.
  ///   - environment: the variables that count.
  ///   - output: the descriptor of standard output.
  ///   - error: the descriptor of standard error.
  public static func run(
    arguments: [String], environment: [String: String], output: Int32 = 1, error: Int32 = 2
  ) async -> Int32 {
    await run(
      arguments: arguments, environment: environment, output: output, error: error,
      signals: SignalWatch(standardError: error))
  }

  static func run(
    arguments: [String], environment: [String: String], output: Int32, error: Int32, signals: SignalWatch
  ) async -> Int32 {
    let console = Console()
    let status = await console.run(arguments, environment, output: output, error: error, signals: signals)
    console.stop()
    return status
  }
}

/// The console of the process.
@globalActor
private enum ConsoleThread {
  static let shared = Console()
}
