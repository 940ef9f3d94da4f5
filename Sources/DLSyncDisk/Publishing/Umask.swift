import Glibc

/// The process's file mode creation mask, read without changing it: another thread may be making a file at this moment.
enum Umask {
  /// Read once; dlsync never changes it.
  static let value: UInt16 = read() ?? 0o022

  private static func read() -> UInt16? {
    guard let text = try? FileText.read("/proc/self/status", limit: 1 << 16) else { return nil }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let line = String(decoding: line, as: UTF8.self)
      if line.hasPrefix("Umask:") { return UInt16(line.dropFirst(6).drop { $0 == "\t" || $0 == " " }, radix: 8) }
    }
    return nil
  }
}
