import CPosix
package import DLSyncThreading
import Glibc

/// Another program, started without a shell: the one place where processes come from.
package struct Program: Sendable {
  /// Its name, looked up in PATH unless `file` says otherwise, and its arguments.
  package var words: [String]
  package let environment: [String: String]
  /// The file that is run, where that is not the one that PATH has under the name.
  package var file: String?
  /// Whether it is to outlive this process: it gets a session of its own, and none of our open files.
  package var isDetached = false

  package init(words: [String], environment: [String: String]) {
    self.words = words
    self.environment = environment
  }

  /// How it ended.
  package enum End: Equatable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    case notStarted(SystemTrouble)
    case tookTooLong
    /// It was ended before its end, as was asked.
    case stopped
    /// It has ended, and how is not known: this process ignores the ends of those that it starts (SIGCHLD).
    case unknown
  }

  /// Where its standard streams lead. Nil is `/dev/null`.
  package struct Streams: Sendable {
    package var input: Int32?
    package var output: Int32?
    package var error: Int32?

    package init(input: Int32? = nil, output: Int32? = nil, error: Int32? = nil) {
      self.input = input
      self.output = output
      self.error = error
    }
  }

  /// Starts it in a process group of its own.
  package func start(_ streams: Streams) -> Result<Int32, SystemTrouble> {
    // Whoever started us may wait for the end of everybody who has its pipes.
    let closed = isDetached ? Self.inherited : []
    var process = pid_t()
    let status = Self.withPointers(words) { arguments in
      Self.withPointers(environment.map { "\($0.key)=\($0.value)" }) { variables in
        (file ?? words[0]).withCString { name in
          closed.withUnsafeBufferPointer { closed in
            var how = dl_start()
            how.file = name
            how.is_searched = file == nil ? 1 : 0
            how.arguments = UnsafePointer(arguments)
            how.environment = UnsafePointer(variables)
            how.streams = (streams.input ?? -1, streams.output ?? -1, streams.error ?? -1)
            how.closed = closed.baseAddress
            how.closed_count = Int32(closed.count)
            how.has_session = isDetached ? 1 : 0
            // What is detached is this same program, which raises the limit for itself.
            how.open_files = isDetached ? 0 : OpenFileLimit.forPrograms
            return dl_start(&process, &how)
          }
        }
      }
    }
    return status == 0 ? .success(process) : .failure(SystemTrouble(status))
  }

  /// Runs it to its end; what has not ended after `limit`, or when `isStopped` says so, is killed with all that it started.
  /// No thread waits.
  package func run(
    _ streams: Streams, limit: Duration, executor: ThreadExecutor, isStopped: @Sendable () -> Bool = { false }
  ) async -> End {
    let process: pid_t
    switch start(streams) {
    case .success(let started): process = started
    case .failure(let trouble): return .notStarted(trouble)
    }
    let deadline = MonotonicInstant.now.advanced(by: Self.nanoseconds(limit))
    var mayGoOn = true
    while mayGoOn {
      if let end = Self.end(of: process) { return end }
      await executor.sleep(until: MonotonicInstant.now.advanced(by: 10_000_000))
      // Who is cancelled does not wait, and every further sleep would end at once.
      mayGoOn = MonotonicInstant.now < deadline && !Task.isCancelled && !isStopped()
    }
    let wasStopped = isStopped() || Task.isCancelled
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    return wasStopped ? .stopped : .tookTooLong
  }

  /// The same for what it says: the beginning of its standard output, which is to be short.
  package func answer(limit: Duration, executor: ThreadExecutor) async -> (end: End, text: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (.notStarted(.last), "") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // What it started itself may live on and hold the pipe open.
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let end = await run(Streams(output: ends[1]), limit: limit, executor: executor)
    close(ends[1])
    defer { close(ends[0]) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = max(0, read(ends[0], &bytes, bytes.count))
    return (end, String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// How a process ended; nil while it runs.
  package static func end(of process: Int32) -> End? {
    var status: Int32 = 0
    let found = waitpid(process, &status, WNOHANG)
    guard found != 0 else { return nil }
    guard found == process else { return .unknown }
    return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signaled(status & 0x7f)
  }

  private static func nanoseconds(_ limit: Duration) -> Int64 {
    limit.components.seconds * 1_000_000_000 + limit.components.attoseconds / 1_000_000_000
  }

  private static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }

  /// Open files beyond the standard streams that a new program would get.
  private static var inherited: [Int32] {
    FolderNames.of("/proc/self/fd").compactMap { Int32($0) }.filter { number in
      let flags = fcntl(number, F_GETFD)
      return number > 2 && flags >= 0 && flags & FD_CLOEXEC == 0
    }
  }
}
