import DLSyncModel

/// Writes the field lines of a request that are its own: the entry's headers, cookies, range and condition.
enum RequestLines {
  /// Nil when there are none, which spares the handle a change.
  static func lines(
    headers: [HeaderField], cookies: String?, range: RangeRequest?, condition: RequestCondition?
  ) -> [String]? {
    guard !headers.isEmpty || cookies != nil || range != nil || condition != nil else { return nil }
    var lines: [String] = []
    var cookies = cookies
    for field in headers {
      if field.name.isSameToken(as: "Cookie"), let set = cookies {
        // One request has one Cookie field (RFC 6265, section 5.4).
        lines.append("\(field.name): \(field.value); \(set)")
        cookies = nil
      } else {
        // libcurl writes an empty value only for a name that ends in a semicolon.
        lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
      }
    }
    if let cookies { lines.append("Cookie: \(cookies)") }
    if let condition { lines += condition.lines }
    if let range {
      lines.append("Range: \(ResponseJudge.field(range))")
      if let validator = range.validator { lines.append("If-Range: \(validator.text)") }
    }
    return lines
  }
}
