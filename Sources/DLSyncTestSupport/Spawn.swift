import DLSyncThreading
import Glibc

/// A started process and our ends of its streams; -1 where there is none.
struct Spawned: Sendable {
  var processID: pid_t = 0
  var input: Int32 = -1
  var output: Int32 = -1
  var errors: Int32 = -1
  var terminal: Int32 = -1
}

extension Launch {
  /// Starts the process in a session of its own, so that it can be ended with everything that it starts.
  func spawn() throws -> Spawned {
    try descriptorLock.withLock { _ throws -> Spawned in
      var plan = StreamPlan()
      defer { plan.closeTheirs() }
      do {
        try connect(&plan)
        var spawned = plan.ours
        spawned.processID = try start(plan)
        return spawned
      } catch {
        plan.closeOurs()
        throw error
      }
    }
  }

  private func connect(_ plan: inout StreamPlan) throws {
    if case .terminal = output { try plan.openTerminal(terminalSize) }
    if case .terminal = errors { try plan.openTerminal(terminalSize) }
    if let input, !input.isEmpty {
      let (reader, writer) = try plan.pipe()
      plan.theirs[0] = reader
      plan.ours.input = writer
    } else if plan.terminalName == nil {
      plan.theirs[0] = try plan.open("/dev/null", O_RDONLY)
    }
    plan.ours.output = try plan.connect(output, as: 1)
    plan.ours.errors = try plan.connect(errors, as: 2)
  }

  private func start(_ plan: StreamPlan) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let name = plan.terminalName {
      // The first terminal that a session leader opens is its controlling one.
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    }
    for target in plan.terminalTargets { posix_spawn_file_actions_adddup2(&actions, 0, target) }
    // Last, because it may put a pipe where the terminal was opened.
    for (target, descriptor) in plan.theirs { posix_spawn_file_actions_adddup2(&actions, descriptor, target) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    var allSignals = sigset_t()
    sigfillset(&allSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setsigdefault(&attributes, &allSignals)
    let setSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which Glibc hides
    let flags = setSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    // Glibc hides the action that changes the folder, so env(1) does it; it replaces itself by the program.
    let words = ["env", "--chdir=\(workingFolder)", executable] + arguments
    let settings = environment.map { "\($0.key)=\($0.value)" }
    var processID: pid_t = 0
    let status = withCStrings(words) { words in
      withCStrings(settings) { settings in
        posix_spawn(&processID, "/usr/bin/env", &actions, &attributes, words, settings)
      }
    }
    guard status == 0 else {
      errno = status
      throw SupportError.system("'\(executable)' cannot be started")
    }
    return processID
  }
}

/// Which descriptor becomes which stream. Made and used up with `descriptorLock` held.
private struct StreamPlan {
  var ours = Spawned()
  /// Descriptors for the child by the number that they get there.
  var theirs: [Int32: Int32] = [:]
  var terminalName: String?
  var terminalTargets: [Int32] = []
  private var toClose: [Int32] = []

  mutating func pipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SupportError.system("no pipe") }
    ends.forEach(closeOnExec)
    return (ends[0], ends[1])
  }

  mutating func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SupportError.system("'\(path)' cannot be opened") }
    return descriptor
  }

  mutating func openTerminal(_ size: Launch.TerminalSize) throws {
    guard terminalName == nil else { return }
    var master: Int32 = -1
    var slave: Int32 = -1
    var name = [CChar](repeating: 0, count: 128)
    var window = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, &name, nil, &window) == 0 else { throw SupportError.system("no pseudo-terminal") }
    closeOnExec(master)
    closeOnExec(slave)
    ours.terminal = master
    toClose.append(slave)
    terminalName = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }

  /// Connects one output stream; gives our end where there is one.
  mutating func connect(_ sink: Launch.Sink, as target: Int32) throws -> Int32 {
    switch sink {
    case .capture:
      let (reader, writer) = try pipe()
      theirs[target] = writer
      return reader
    case .closedPipe:
      let (reader, writer) = try pipe()
      close(reader)
      theirs[target] = writer
    case .file(let path): theirs[target] = try open(path, O_WRONLY | O_CREAT | O_TRUNC)
    case .terminal: terminalTargets.append(target)
    }
    return -1
  }

  func closeTheirs() {
    for descriptor in theirs.values { close(descriptor) }
    for descriptor in toClose { close(descriptor) }
  }

  func closeOurs() {
    for descriptor in [ours.input, ours.output, ours.errors, ours.terminal] where descriptor >= 0 { close(descriptor) }
  }
}

/// Runs the body with a null-terminated array of C strings.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let pointers = texts.map { strdup($0) } + [nil]
  defer { pointers.forEach { free($0) } }
  return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
}
