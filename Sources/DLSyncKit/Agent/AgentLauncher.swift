internal import DLSyncModel
internal import Glibc

/// Starts the agent: this same program, in a session of its own, with nothing of the command that started it but its
/// environment.
struct AgentLauncher: Sendable {
  let place: AgentPlace
  let environment: [String: String]

  // Of <spawn.h>, hidden without _GNU_SOURCE: a new session (glibc 2.26).
  private static let newSession: Int16 = 0x80

  /// Returns when the process is there; it may find that another one is the agent already.
  func start() throws(DLSyncError) {
    let log = try place.openLog()
    defer { close(log) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, log, 1)
    posix_spawn_file_actions_adddup2(&actions, log, 2)
    // Whoever started the command may wait for the end of everybody who has its pipes.
    for descriptor in Self.inherited { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let arguments = ["dlsync", "agent", "run", "--state", Self.absolute(place.stateFolder)]
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let status = Self.withPointers(arguments) { arguments in
      Self.withPointers(variables) { variables in
        var process = pid_t()
        // The running program, even where its file was replaced.
        return posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments, variables)
      }
    }
    guard status == 0 else { throw AgentPlace.unavailable("the agent could not be started", status) }
  }

  private static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// Open files beyond the standard streams that a new program would get.
  private static var inherited: [Int32] {
    guard let stream = opendir("/proc/self/fd") else { return [] }
    defer { closedir(stream) }
    var found: [Int32] = []
    while let entry = readdir(stream) {
      let number = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { Int32(String(cString: $0)) }
      }
      guard let number, number > 2, number != dirfd(stream) else { continue }
      let flags = fcntl(number, F_GETFD)
      if flags >= 0, flags & FD_CLOEXEC == 0 { found.append(number) }
    }
    return found
  }
}
