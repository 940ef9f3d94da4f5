import DLSyncModel
import DLSyncThreading
import Glibc

/// Another program, started without a shell.
struct Program {
  /// Its name, looked up in PATH, and its arguments.
  let words: [String]
  let environment: [String: String]

  /// How it ended.
  enum End: Equatable {
    case exited(Int32)
    case signaled(Int32)
    case notStarted(errno: Int32)
    case tookTooLong
  }

  /// Starts it in a process group of its own. Its standard output goes to standard error, for what the command prints is
  /// data. Nil `input` is nothing to read.
  func start(input: Int32?, error: Int32) -> Result<pid_t, StartFailure> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, error, 1)
    posix_spawn_file_actions_adddup2(&actions, error, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    var process = pid_t()
    let status = Self.withPointers(words) { arguments in
      Self.withPointers(environment.map { "\($0.key)=\($0.value)" }) { variables in
        posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
      }
    }
    return status == 0 ? .success(process) : .failure(StartFailure(errno: status))
  }

  struct StartFailure: Error { let errno: Int32 }

  /// Runs it to its end; what has not ended after `limit` is killed with all that it started. No thread waits.
  func run(input: Int32?, error: Int32, limit: Duration, executor: ThreadExecutor) async -> End {
    let process: pid_t
    switch start(input: input, error: error) {
    case .success(let started): process = started
    case .failure(let failure): return .notStarted(errno: failure.errno)
    }
    let deadline = MonotonicInstant.now.advanced(by: limit.inNanoseconds)
    while true {
      if let end = Self.end(of: process) { return end }
      guard MonotonicInstant.now < deadline else { break }
      await executor.sleep(until: MonotonicInstant.now.advanced(by: 10_000_000))
    }
    kill(-process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return .tookTooLong
  }

  /// How a process ended; nil while it runs.
  static func end(of process: pid_t) -> End? {
    var status: Int32 = 0
    let found = waitpid(process, &status, WNOHANG)
    guard found != 0 else { return nil }
    guard found == process else { return .exited(0) }
    return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signaled(status & 0x7f)
  }

  private static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }
}

/// A command as a person writes it, split into words as a shell splits them, but with nothing expanded.
enum CommandWords {
  /// Blanks part words; `'…'` and `"…"` keep them together, a backslash takes the meaning from what follows. Nil where a
  /// quote is not closed, or no word is there.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " || character == "\t" || character == "\n" {
        if let ended = word { words.append(ended) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    return words.isEmpty ? nil : words
  }
}
