import DLSyncModel
import Glibc

/// Moments as people write and read them, in the local time zone.
enum MomentText {
  /// `2h` (ago), `2026-01-31`, `2026-01-31T08:00`, `2026-01-31 08:00:30`, with `Z` for UTC; nil for anything else.
  static func moment(_ text: String, now: Timestamp) -> Timestamp? {
    if let ago = DurationText.parse(text) { return Timestamp(nanoseconds: now.nanoseconds &- ago.inNanoseconds) }
    let isUTC = text.hasSuffix("Z")
    let halves = text.dropLast(isUTC ? 1 : 0).split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == "T" || $0 == " "
    }
    guard let date = numbers(halves[0], "-", [4, 2, 2]), isDay(date) else { return nil }
    var clock = [0, 0, 0]
    if halves.count == 2 {
      guard let read = numbers(halves[1], ":", [2, 2, 2]) ?? numbers(halves[1], ":", [2, 2]) else { return nil }
      clock = read.count == 3 ? read : read + [0]
      guard clock[0] < 24, clock[1] < 60, clock[2] < 61 else { return nil }
    }
    var time = tm()
    time.tm_year = Int32(date[0] - 1900)
    time.tm_mon = Int32(date[1] - 1)
    time.tm_mday = Int32(date[2])
    (time.tm_hour, time.tm_min, time.tm_sec) = (Int32(clock[0]), Int32(clock[1]), Int32(clock[2]))
    time.tm_isdst = -1
    return Timestamp(seconds: Int64(isUTC ? timegm(&time) : mktime(&time)))
  }

  /// Whether a year has this month and day; the system would take the 31st of February for one of March.
  private static func isDay(_ date: [Int]) -> Bool {
    guard (1...12).contains(date[1]), (1...31).contains(date[2]) else { return false }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(date[0] - 1900), Int32(date[1] - 1), Int32(date[2]))
    timegm(&time)
    return time.tm_mon == date[1] - 1
  }

  /// `2026-01-31 08:00:30`.
  static func text(_ moment: Timestamp) -> String {
    var seconds = time_t(moment.nanoseconds / 1_000_000_000)
    var time = tm()
    localtime_r(&seconds, &time)
    let date = "\(four(time.tm_year + 1900))-\(two(time.tm_mon + 1))-\(two(time.tm_mday))"
    return "\(date) \(two(time.tm_hour)):\(two(time.tm_min)):\(two(time.tm_sec))"
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func four(_ number: Int32) -> String {
    String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
  }

  private static func numbers(_ text: Substring, _ separator: Character, _ digits: [Int]) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == digits.count else { return nil }
    var found: [Int] = []
    for (part, count) in zip(parts, digits) {
      guard part.utf8.count == count, part.utf8.allSatisfy(NumberText.isDigit), let number = Int(part) else {
        return nil
      }
      found.append(Int(number))
    }
    return found
  }
}
