/// What to run, and how.
package struct Launch: Sendable {
  /// Where a stream of the process goes.
  package enum Sink: Sendable {
    /// Kept for the result.
    case capture
    /// A pipe whose reader is gone already.
    case closedPipe
    /// A file: made, or emptied. `/dev/full` is one too.
    case file(String)
    /// A pseudo-terminal, one for all streams that ask for it. What comes out of it is `ProcessResult.terminal`.
    case terminal
  }

  /// A terminal's size in characters.
  package struct TerminalSize: Sendable {
    package let columns: UInt16
    package let rows: UInt16
    package init(columns: UInt16 = 80, rows: UInt16 = 24) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// An absolute path.
  package var executable: String
  /// Without the program's own name.
  package var arguments: [String]
  /// All of it: nothing is inherited.
  package var environment: [String: String]
  package var workingFolder: String
  /// Given on standard input, then its end; nil is an empty one.
  package var input: [UInt8]?
  package var output = Sink.capture
  package var errors = Sink.capture
  package var terminalSize = TerminalSize()
  /// Whether the peak of the resident memory is watched. Costs a look at `/proc` every few milliseconds.
  package var measuresMemory = false

  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], workingFolder: String = "/",
    input: [UInt8]? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.workingFolder = workingFolder
    self.input = input
  }
}

/// How a process ended, and what it said.
package struct ProcessResult: Sendable, CustomStringConvertible {
  /// The exit status; 128 + the signal when a signal ended it, as a shell tells it.
  package let status: Int32
  /// The signal that ended it, if one did.
  package let signal: Int32?
  /// Whether it was killed because its time was over.
  package let timedOut: Bool
  package let outputBytes: [UInt8]
  package let errorBytes: [UInt8]
  /// What came out of the pseudo-terminal, escape sequences and all.
  package let terminalBytes: [UInt8]
  /// Wall time.
  package let seconds: Double
  /// The peak of the resident memory in bytes, as far as it was watched.
  package let peakMemory: Int?

  /// Standard output as text.
  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
  /// Standard error as text.
  package var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  /// What came out of the pseudo-terminal as text.
  package var terminal: String { String(decoding: terminalBytes, as: UTF8.self) }

  /// Everything that helps to understand a failed test.
  package var description: String {
    let end = timedOut ? "killed: no end within its time" : "exit \(status)"
    return "\(end)\n--- stdout\n\(output.suffix(2000))\n--- stderr\n\(errors.suffix(2000))"
      + (terminalBytes.isEmpty ? "" : "\n--- terminal\n\(terminal.suffix(2000).debugDescription)")
  }
}
