import DLSyncTestSupport
import Glibc

/// What a process did to the file system, as `strace -f -y -xx` told it, in order.
enum Effect {
  case made(path: String, truncating: Bool)
  case folderMade(path: String)
  case appended(path: String, [UInt8])
  case written(path: String, [UInt8], offset: Int)
  case cut(path: String, length: Int)
  case copied(from: String, to: String, offset: Int, length: Int)
  case moved(from: String, to: String)
  case exchanged(String, String)
  case linked(from: String, to: String)
  case removed(path: String)
  /// A file's data, or a folder's names.
  case flushed(path: String)
  case allFlushed

  var isFlush: Bool {
    switch self {
    case .flushed, .allFlushed: true
    default: false
    }
  }
}

/// Runs a launch under strace and reads what came out.
struct Trace {
  let effects: [Effect]
  let result: ProcessResult

  private static let strace = "/usr/bin/strace"
  private static let calls = [
    "openat", "open", "openat2", "mkdir", "mkdirat", "write", "pwrite64", "ftruncate", "copy_file_range", "rename",
    "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "fsync", "fdatasync", "syncfs",
  ]

  /// Whether this machine lets processes be traced.
  static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder("trace"), access(strace, X_OK) == 0 else { return false }
    let process = try? ChildProcess(Launch(strace, ["-o", folder("t"), "/bin/true"], environment: [:]))
    return process?.wait().status == 0
  }()

  init(_ launch: Launch, file: String) throws {
    var traced = launch
    traced.executable = Self.strace
    traced.arguments =
      [
        "-f", "-y", "-xx", "-s", "10000000", "-o", file, "-e", "trace=" + Self.calls.joined(separator: ","), "-e",
        "signal=none",
      ]
      + [launch.executable] + launch.arguments
    result = try ChildProcess(traced).wait(.seconds(120))
    var reader = TraceReader()
    for line in (FileBytes.text(file) ?? "").split(separator: "\n") { reader.read(line) }
    effects = reader.effects
  }
}

/// Puts the two halves of interrupted lines together and understands each call that succeeded.
private struct TraceReader {
  private(set) var effects: [Effect] = []
  private var begun: [Substring: Substring] = [:]

  mutating func read(_ line: Substring) {
    guard let blank = line.firstIndex(of: " ") else { return }
    let thread = line[..<blank]
    var call = line[blank...].drop { $0 == " " }
    if call.hasSuffix("<unfinished ...>") {
      begun[thread] = call.dropLast("<unfinished ...>".count)
      return
    }
    if call.hasPrefix("<... "), let end = call.firstRange(of: " resumed>") {
      call = (begun.removeValue(forKey: thread) ?? "") + call[end.upperBound...]
    }
    guard let open = call.firstIndex(of: "("), let equals = call.lastIndex(of: "=") else { return }
    let value = call[call.index(after: equals)...].drop { $0 == " " }
    guard !value.hasPrefix("-"), !value.hasPrefix("?") else { return }
    let arguments = Self.split(call[call.index(after: open)..<equals])
    if let effect = Self.effect(call[..<open], arguments, value) { effects.append(effect) }
  }

  private static func effect(_ name: Substring, _ arguments: [Substring], _ value: Substring) -> Effect? {
    func text(_ index: Int) -> String { String(decoding: bytes(arguments[index]), as: UTF8.self) }
    func at(_ index: Int) -> String { join(path(arguments[index]), text(index + 1)) }
    func number(_ index: Int) -> Int { Int(arguments[index].prefix { $0.isNumber }) ?? 0 }
    let first = arguments.first.map { path($0) } ?? ""
    switch name {
    case "openat":
      guard arguments[2].contains("O_CREAT") || arguments[2].contains("O_TRUNC") else { return nil }
      return .made(path: path(value), truncating: arguments[2].contains("O_TRUNC"))
    case "mkdir": return .folderMade(path: text(0))
    case "mkdirat": return .folderMade(path: at(0))
    case "write": return .appended(path: first, bytes(arguments[1]))
    case "pwrite64": return .written(path: first, bytes(arguments[1]), offset: number(3))
    case "ftruncate": return .cut(path: first, length: number(1))
    case "copy_file_range":
      // Offsets stand in brackets; both files have the same.
      let offset = Int(arguments[1].filter(\.isNumber)) ?? 0
      return .copied(
        from: first, to: path(arguments[2]), offset: offset, length: Int(value.prefix { $0.isNumber }) ?? 0)
    case "rename": return .moved(from: text(0), to: text(1))
    case "renameat": return .moved(from: at(0), to: at(2))
    case "renameat2":
      return arguments[4].contains("EXCHANGE") ? .exchanged(at(0), at(2)) : .moved(from: at(0), to: at(2))
    case "link": return .linked(from: text(0), to: text(1))
    case "linkat": return .linked(from: at(0), to: at(2))
    case "unlink": return .removed(path: text(0))
    case "unlinkat": return .removed(path: at(0))
    case "fsync", "fdatasync": return .flushed(path: first)
    case "syncfs": return .allFlushed
    default: return nil
    }
  }

  /// Arguments end at commas outside of strings; strings hold none, for every byte is written as `\xNN`.
  private static func split(_ text: Substring) -> [Substring] {
    text.split(separator: ",").map { $0.drop { $0 == " " } }
  }

  /// The path behind a descriptor: `7<\x2f…>`.
  private static func path(_ argument: Substring) -> String {
    guard let start = argument.firstIndex(of: "<") else { return "" }
    return String(decoding: bytes(argument[start...]), as: UTF8.self)
  }

  private static func join(_ folder: String, _ name: String) -> String {
    name.hasPrefix("/") ? name : folder + "/" + name
  }

  /// The bytes of a string of `\xNN`.
  private static func bytes(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    let digits = Array(text.utf8)
    var index = 0
    while index + 3 < digits.count {
      if digits[index] == UInt8(ascii: "\\"), digits[index + 1] == UInt8(ascii: "x") {
        bytes.append(value(digits[index + 2]) << 4 | value(digits[index + 3]))
        index += 4
      } else if !bytes.isEmpty {
        break
      } else {
        index += 1
      }
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8 { digit <= 57 ? digit - 48 : digit - 87 }
}
