import Glibc

/// Runs the `dlsync` that was built beside the tests. A status other than 0 is a value; only a process that cannot be
/// started throws.
package struct BinaryRunner: Sendable {
  /// The binary's absolute path: `DLSYNC_BIN` where that is set, else the one in the folder of the running tests.
  package static func findBinary() throws -> String {
    if let path = getenv("DLSYNC_BIN") { return String(cString: path) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    var folder = count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
    // The test runner may be a helper of the toolchain; the bundle is then among its arguments.
    for start in [folder] + CommandLine.arguments {
      folder = start
      while let slash = folder.lastIndex(of: "/") {
        folder = String(folder[..<slash])
        let candidate = folder + "/dlsync"
        if isExecutableFile(candidate) { return candidate }
        if !folder.contains("/.build/") { break }
      }
    }
    throw SupportError("the dlsync binary was not found beside the tests; set DLSYNC_BIN to its path")
  }

  private static func isExecutableFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  package let binary: String
  /// The whole environment of every run.
  package var environment: [String: String]
  package var workingFolder: String

  /// A runner with an environment of its own: `home` is the home folder, nothing else is known.
  package init(home: String, workingFolder: String) throws {
    binary = try Self.findBinary()
    self.workingFolder = workingFolder
    environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1",
    ]
  }

  /// A launch of the binary, to be changed and then run or started.
  package func launch(_ arguments: [String], input: String? = nil) -> Launch {
    Launch(
      binary, arguments, environment: environment, workingFolder: workingFolder, input: input.map { Array($0.utf8) })
  }

  /// Runs it to its end.
  package func run(
    _ arguments: String..., input: String? = nil, limit: Duration = .seconds(60)
  ) throws -> ProcessResult {
    try run(launch(arguments, input: input), limit: limit)
  }

  /// Runs a changed launch to its end.
  package func run(_ launch: Launch, limit: Duration = .seconds(60)) throws -> ProcessResult {
    try ChildProcess(launch).wait(limit)
  }

  /// Starts it.
  package func start(_ arguments: String..., input: String? = nil) throws -> ChildProcess {
    try ChildProcess(launch(arguments, input: input))
  }

  /// Runs it with standard error, and standard output too when that is asked for, on a pseudo-terminal.
  package func runOnTerminal(
    _ arguments: String..., size: Launch.TerminalSize = .init(), outputToo: Bool = false, limit: Duration = .seconds(60)
  ) throws -> ProcessResult {
    var launch = launch(arguments)
    launch.environment["TERM"] = "xterm-256color"
    launch.environment["NO_COLOR"] = nil
    launch.errors = .terminal
    if outputToo { launch.output = .terminal }
    launch.terminalSize = size
    return try run(launch, limit: limit)
  }
}
