import Glibc

/// Our ends of a process's streams: feeds one and reads the others until the process is gone.
struct ProcessStreams {
  enum Piece {
    case output(ArraySlice<UInt8>)
    case errors(ArraySlice<UInt8>)
    case terminal(ArraySlice<UInt8>)
    case peakMemory(Int)
  }

  private let spawned: Spawned
  private let input: [UInt8]
  private let measuresMemory: Bool

  init(_ spawned: Spawned, input: [UInt8], measuresMemory: Bool) {
    self.spawned = spawned
    self.input = input
    self.measuresMemory = measuresMemory
  }

  /// Returns when every stream is at its end, or when the process is and what it wrote has been read: a process that
  /// it left behind may hold a stream for ever.
  func pump(_ take: (Piece) -> Void) {
    for descriptor in [spawned.input, spawned.output, spawned.errors, spawned.terminal] where descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }
    var readers = [spawned.output, spawned.errors, spawned.terminal].filter { $0 >= 0 }
    var writer = spawned.input
    var written = 0
    defer {
      for descriptor in readers where descriptor != spawned.terminal { close(descriptor) }
      if writer >= 0 { close(writer) }
    }
    while !readers.isEmpty || writer >= 0 {
      if measuresMemory, let peak = Self.peakMemory(of: spawned.processID) { take(.peakMemory(peak)) }
      // Asked before the streams are read: what it wrote is in them by then.
      let isGone = hasEnded
      var entries = readers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if writer >= 0 { entries.append(pollfd(fd: writer, events: Int16(POLLOUT), revents: 0)) }
      _ = poll(&entries, nfds_t(entries.count), isGone ? 0 : (measuresMemory ? 2 : 10))
      if writer >= 0, !feed(writer, &written) || isGone {
        close(writer)
        writer = -1
      }
      readers = readers.filter { descriptor in
        let isOpen = drain(descriptor, take)
        if !isOpen, descriptor != spawned.terminal { close(descriptor) }
        return isOpen
      }
      if isGone { return }
    }
  }

  private var hasEnded: Bool {
    var information = siginfo_t()
    let status = waitid(P_PID, id_t(spawned.processID), &information, WEXITED | WNOWAIT | WNOHANG)
    return status == 0 && information.si_signo == SIGCHLD
  }

  /// False when all is written or nobody reads.
  private func feed(_ descriptor: Int32, _ written: inout Int) -> Bool {
    while written < input.count {
      let count = input.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      written += count
    }
    return false
  }

  /// False at the end of the stream.
  private func drain(_ descriptor: Int32, _ take: (Piece) -> Void) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      switch descriptor {
      case spawned.output: take(.output(chunk[..<count]))
      case spawned.errors: take(.errors(chunk[..<count]))
      default: take(.terminal(chunk[..<count]))
      }
    }
  }

  /// `ru_maxrss` will not do: after a vfork it begins with the parent's.
  private static func peakMemory(of processID: pid_t) -> Int? {
    guard let text = FileBytes.text("/proc/\(processID)/status"), text.hasPrefix("Name:\tdlsync\n"),
      let mark = text.firstRange(of: "VmHWM:")
    else { return nil }
    let number = text[mark.upperBound...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }
    return Int(number).map { $0 * 1024 }
  }
}
