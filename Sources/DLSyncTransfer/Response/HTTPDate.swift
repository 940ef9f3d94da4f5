/// Dates of HTTP in all three forms that a recipient must read (RFC 9110, section 5.6.7), as seconds since 1970.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Seconds since 1970, or nil when the text is no such date.
  package static func seconds(_ text: String) -> Int64? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    if words.count == 6, words[5] == "GMT" {
      // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
      return date(day: words[1], month: words[2], year: words[3], time: words[4])
    }
    if words.count == 5 {
      // Sun Nov  6 08:49:37 1994
      return date(day: words[2], month: words[1], year: words[4], time: words[3])
    }
    return nil
  }

  private static func date(day: Substring, month: Substring, year: Substring, time: Substring) -> Int64? {
    guard let day = day.plainNumber, (1...31).contains(day), let month = months.firstIndex(where: { $0 == month }),
      var fullYear = year.plainNumber, year.count == 2 || year.count == 4
    else { return nil }
    // A two-digit year that seems more than 50 years ahead is in the past; 70 is the oldest that time stamps reach.
    if year.count == 2 { fullYear += fullYear < 70 ? 2000 : 1900 }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap {
      $0.count == 2 ? $0.plainNumber : nil
    }
    guard clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60 else { return nil }
    return days(fullYear, Int64(month) + 1, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar. The year is counted from March, so that the leap day is
  /// its last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
