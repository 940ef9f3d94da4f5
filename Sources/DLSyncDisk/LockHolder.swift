import Glibc

/// Who holds a lock, as written into its file: the process id, and the moment of its start because ids are used again.
struct LockHolder: Equatable {
  let process: Int32
  /// Clock ticks since the machine started, field 22 of `/proc/PID/stat`; zero where that is not to be had.
  let started: UInt64

  static var current: LockHolder { LockHolder(process: getpid(), started: startTime(getpid()) ?? 0) }

  var text: String { "\(process) \(started)\n" }

  /// What a lock file says, or nil where it says nothing.
  static func read(_ descriptor: Int32) -> LockHolder? {
    let text = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer -> String? in
      guard let count = try? readFully(descriptor, buffer, at: 0) else { return nil }
      return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    guard let text else { return nil }
    let fields = text.split { $0 == " " || $0 == "\n" }
    guard let first = fields.first, let process = Int32(first), process > 0 else { return nil }
    return LockHolder(process: process, started: fields.count > 1 ? UInt64(fields[1]) ?? 0 : 0)
  }

  /// Whether this very process still runs.
  var isAlive: Bool {
    guard kill(process, 0) == 0 || errno == EPERM else { return false }
    guard started != 0, let now = Self.startTime(process) else { return false }
    return now == started
  }

  /// Nil for a process that ended, even where nobody took note of its end yet (a zombie).
  private static func startTime(_ process: Int32) -> UInt64? {
    guard let bytes = try? FileText.read("/proc/\(process)/stat", limit: 4096) else { return nil }
    // The command's name may hold anything, blanks and parentheses too; the fields behind it do not.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 19 && !["Z", "X"].contains(fields[0]) ? UInt64(fields[19]) : nil
  }
}
