import Glibc

/// The first bytes of SQLite's log (SQLite's file format, section 4.1). SQLite takes a log whose beginning it does not
/// know for an empty one: everything in it would be forgotten without a word, and its readers would first wait for somebody
/// to make it right.
struct LogHeader {
  /// Bytes of the header; the first frame follows.
  static let length = 32

  /// Throws where a log begins with what no SQLite wrote. Zeros are what a loss of power leaves of a log in which nothing
  /// was ever committed.
  static func check(_ log: String) throws(StoreFailure) {
    // Somebody may be writing the header at this moment.
    for _ in 0..<5 {
      guard let bytes = read(log), !isWhole(bytes), bytes.contains(where: { $0 != 0 }) else { return }
      usleep(2000)
    }
    throw StoreFailure(.damaged, "its log (\(log)) does not begin like one")
  }

  /// Nil where there is no such file, where it is shorter, or where it cannot be read: SQLite has the word then.
  private static func read(_ log: String) -> [UInt8]? {
    // Locks stand on the database and the index: closing the log drops none.
    let file = open(log, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: length)
    guard pread(file, &bytes, length, 0) == length else { return nil }
    return bytes
  }

  /// Whether it has the mark of a log and its own sum.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    func word(_ index: Int, isBig: Bool = true) -> UInt32 {
      let word = bytes[4 * index..<4 * index + 4]
      return (isBig ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    let mark = word(0)
    guard mark & ~1 == 0x377f_0682 else { return false }
    var (first, second): (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: 6, by: 2) {
      first &+= word(index, isBig: mark & 1 == 1) &+ second
      second &+= word(index + 1, isBig: mark & 1 == 1) &+ first
    }
    return first == word(6) && second == word(7)
  }
}
