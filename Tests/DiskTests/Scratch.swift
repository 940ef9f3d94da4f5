import DLSyncModel
import DLSyncTestSupport
import Glibc
import Testing

/// A folder of one test, removed with everything in it when the test ends.
final class Scratch: Sendable {
  private let place: TemporaryFolder
  var path: String { place.path }

  init() throws { place = try TemporaryFolder("disk") }

  // Some trees are deeper than a path may be long.
  deinit { _ = run(["rm", "-rf", path]) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  func folder(_ name: String) throws {
    if mkdir(self(name), 0o755) != 0 { throw SupportError.system("mkdir \(name)") }
  }

  func file(_ name: String, _ content: [UInt8] = Array("mine".utf8)) throws {
    let descriptor = open(self(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw SupportError.system("open \(name)") }
    defer { close(descriptor) }
    if write(descriptor, content, content.count) != content.count { throw SupportError.system("write \(name)") }
  }

  func link(_ name: String, to target: String) throws {
    if symlink(target, self(name)) != 0 { throw SupportError.system("symlink \(name)") }
  }

  func pipe(_ name: String) throws {
    if mkfifo(self(name), 0o644) != 0 { throw SupportError.system("mkfifo \(name)") }
  }

  /// The content of a file, or nil where there is none.
  func content(_ name: String) -> [UInt8]? {
    let descriptor = open(self(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var content = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    let count = pread(descriptor, &content, content.count, 0)
    return count == content.count ? content : nil
  }

  func status(_ name: String) -> stat? {
    var result = stat()
    return lstat(self(name), &result) == 0 ? result : nil
  }

  func exists(_ name: String) -> Bool { status(name) != nil }

  /// The names in a folder, sorted.
  func names(_ folder: String = ".") -> [String] {
    guard let stream = opendir(self(folder)) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// An entry below this folder as the root.
  func entry(_ destination: String, permissions: UInt16? = nil, root: String? = nil) throws -> FileEntry {
    FileEntry(
      scope: Scope("test"), url: SourceURL(recorded: "http://127.0.0.1/x"),
      destination: try Destination(destination, root: root ?? path), options: FileOptions(permissions: permissions))
  }
}

/// Runs a program with its output dropped; its exit status, or -1 where it could not be started.
func run(_ arguments: [String]) -> Int32 {
  guard let process = spawn(arguments) else { return -1 }
  return wait(for: process)
}

func spawn(_ arguments: [String]) -> pid_t? {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
  var process = pid_t()
  var pointers = arguments.map { strdup($0) } + [nil]
  defer { pointers.forEach { free($0) } }
  return posix_spawnp(&process, arguments[0], &actions, nil, &pointers, environ) == 0 ? process : nil
}

func wait(for process: pid_t) -> Int32 {
  var status: Int32 = 0
  while waitpid(process, &status, 0) == -1, errno == EINTR {}
  return status & 0x7f == 0 ? status >> 8 & 0xff : -1
}

extension SeededGenerator {
  /// The range cut into random pieces, ascending.
  mutating func pieces(of count: Int, upTo largest: Int) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    while start < count {
      let end = min(count, start + Int.random(in: 1...largest, using: &self))
      pieces.append(start..<end)
      start = end
    }
    return pieces
  }
}

/// A small tmpfs mounted in a scratch folder; taken down at the end.
final class SmallFileSystem: Sendable {
  private let path: String

  init?(_ path: String, size: String) {
    self.path = path
    guard run(["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path]) == 0 else { return nil }
  }

  func remount(_ options: String) -> Bool { run(["mount", "-o", "remount,\(options)", path]) == 0 }

  deinit { _ = run(["umount", "-l", path]) }

  /// Whether this process may mount at all.
  static let isAllowed: Bool = {
    guard geteuid() == 0, let scratch = try? Scratch(), (try? scratch.folder("m")) != nil else { return false }
    return SmallFileSystem(scratch("m"), size: "1m") != nil
  }()
}

/// How publishing a file failed; nil where it did not.
func code(_ result: Result<PublishedFile, DLSyncError>) -> ErrorCode? {
  if case .failure(let error) = result { error.code } else { nil }
}
