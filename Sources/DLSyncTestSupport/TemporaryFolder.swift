import DLSyncSystem
import DLSyncThreading
import Glibc

/// A folder of its own for one test, gone with its last reference, whatever is in it by then. What is put there later is gone
/// with the process, and where that is killed, with the next one that makes such folders.
package final class TemporaryFolder: Sendable {
  /// Its absolute path, links resolved, without a slash at the end.
  package let path: String

  /// Makes an empty folder below `TMPDIR`.
  package init(_ purpose: String = "test") throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    Leftovers.attend(base)
    // mkdtemp(3) puts letters in place of each X.
    var template = Array("\(base)/dlsync-\(purpose)-\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil, let real = realpath(template, nil) else {
      throw SupportError.system("no temporary folder in '\(base)'")
    }
    path = String(cString: real)
    free(real)
    Leftovers.note(path)
  }

  deinit { Self.removeTree(path) }

  /// The path of something in it.
  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, parents made; gives its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = self(name)
    try Self.makeFolders(of: path)
    guard let file = fopen(path, "we") else { throw SupportError.system("'\(path)' cannot be written") }
    let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, written == bytes.count else { throw SupportError.system("'\(path)' cannot be written") }
    return path
  }

  /// Writes a text file, parents made; gives its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

  /// The bytes of a file, or nil when there is none.
  package func read(_ name: String) -> [UInt8]? { FileBytes.read(self(name)) }

  /// Whether something is there, links not followed.
  package func holds(_ name: String) -> Bool {
    var status = stat()
    return lstat(self(name), &status) == 0
  }

  /// Removes a file; false when there is none.
  package func remove(_ name: String) -> Bool { unlink(self(name)) == 0 }

  /// Removes something with everything in it.
  package func removeTree(_ name: String) { Self.removeTree(self(name)) }

  /// Makes a folder and its parents; gives its path.
  @discardableResult
  package func makeFolder(_ name: String) throws -> String {
    try Self.makeFolders(of: self(name) + "/x")
    return self(name)
  }

  /// The paths of everything in it that is no folder, relative, sorted; hidden ones too.
  package func files(below name: String = "") -> [String] {
    let start = name.isEmpty ? path : self(name)
    return Self.walk(start).map { String($0.dropFirst(path.utf8.count + 1)) }.sorted()
  }

  private static func walk(_ folder: String) -> [String] {
    FileBytes.names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      return isFolder(path) ? walk(path) : [path]
    }
  }

  private static func makeFolders(of path: String) throws {
    var end = path.startIndex
    while let slash = path[path.index(after: end)...].firstIndex(of: "/") {
      end = slash
      if mkdir(String(path[..<slash]), 0o777) != 0, errno != EEXIST {
        throw SupportError.system("'\(path[..<slash])' cannot be made")
      }
    }
  }

  fileprivate static func removeTree(_ path: String) {
    guard isFolder(path) else {
      unlink(path)
      return
    }
    // A test may have taken the rights away.
    chmod(path, 0o700)
    for name in FileBytes.names(in: path) { removeTree("\(path)/\(name)") }
    rmdir(path)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// Folders that outlive their tests.
private enum Leftovers {
  private static let made = Locked<[String]>([])
  private static let bases = Locked<Set<String>>([])

  static func note(_ path: String) { made.withLock { $0.append(path) } }

  /// Once for each base: the end of this process is provided for, and what killed ones left is removed.
  static func attend(_ base: String) {
    let (isFirst, isNew) = bases.withLock { bases in (bases.isEmpty, bases.insert(base).inserted) }
    if isFirst { atexit { Leftovers.made.withLock { $0 }.forEach(TemporaryFolder.removeTree) } }
    guard isNew else { return }
    for name in FileBytes.names(in: base) where isDead(name, in: base) { TemporaryFolder.removeTree("\(base)/\(name)") }
  }

  /// Whether a name is `dlsync-PURPOSE-PROCESS-…` of a process that is gone, and an hour old: another container may see the
  /// folder, and not the process.
  private static func isDead(_ name: String, in base: String) -> Bool {
    let parts = name.split(separator: "-")
    guard name.hasPrefix("dlsync-"), parts.count > 3, let process = Int32(parts[parts.count - 2]), process > 0 else {
      return false
    }
    var status = stat()
    guard lstat("\(base)/\(name)", &status) == 0, status.st_mtim.tv_sec < time(nil) - 3600 else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}

/// Whole files, for tests.
package enum FileBytes {
  /// The bytes of a file, or nil when it cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return ferror(file) == 0 ? bytes : nil }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// A text file, or nil when it cannot be read.
  package static func text(_ path: String) -> String? { read(path).map { String(decoding: $0, as: UTF8.self) } }

  /// The names in a folder, in no order.
  package static func names(in folder: String) -> [String] { FolderNames.of(folder) }
}
