import Glibc

/// The head and the body that a script gives for one request: pure, and the only place that knows HTTP's rules.
struct OriginAnswer {
  let head: [UInt8]
  let body: ArraySlice<UInt8>
  let isChunked: Bool

  init(_ script: Script, _ request: RecordedRequest) {
    var status = script.status
    var body = script.body[...]
    var fields: [(name: String, value: String)] = []
    if status == 200, Self.isNotModified(script, request) {
      status = 304
      body = []
    } else if status == 200, let range = Self.range(script, request) {
      let size = script.body.count
      if range.isEmpty {
        status = 416
        body = []
        fields.append(("Content-Range", "bytes */\(size)"))
      } else {
        status = 206
        body = script.body[range]
        fields.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      }
    }
    var isChunked = false
    switch script.framing {
    case _ where status == 304 || status == 204: break
    case .length: fields.append(("Content-Length", "\(body.count)"))
    case .declared(let length): fields.append(("Content-Length", "\(length)"))
    case .chunked:
      fields.append(("Transfer-Encoding", "chunked"))
      isChunked = true
    case .untilClose: fields.append(("Connection", "close"))
    }
    fields += Self.validators(script)
    fields += script.headers
    let reason = script.reason ?? Self.reasons[status] ?? "Status"
    let lines = ["\(script.version) \(status) \(reason)"] + fields.map { "\($0.name): \($0.value)" }
    head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    self.body = body
    self.isChunked = isChunked
  }

  private static func validators(_ script: Script) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = [("Date", script.date ?? now())]
    switch script.ranges {
    case .honoured, .ignoredSilently, .shifted: fields.append(("Accept-Ranges", "bytes"))
    case .ignored: break
    }
    if let tag = script.entityTag { fields.append(("ETag", tag)) }
    if let date = script.lastModified { fields.append(("Last-Modified", date)) }
    return fields
  }

  /// RFC 9110, section 13.2.2: `If-None-Match` counts before `If-Modified-Since`.
  private static func isNotModified(_ script: Script, _ request: RecordedRequest) -> Bool {
    if let tags = request.header("If-None-Match") { return script.entityTag.map { tags.contains($0) } ?? false }
    guard let date = request.header("If-Modified-Since") else { return false }
    return date == script.lastModified
  }

  /// The part to send; nil sends the whole.
  private static func range(_ script: Script, _ request: RecordedRequest) -> Range<Int>? {
    guard let range = request.range(of: script.body.count) else { return nil }
    switch script.ranges {
    case .ignored, .ignoredSilently: return nil
    case .honoured:
      if let condition = request.header("If-Range"), condition != script.entityTag, condition != script.lastModified {
        return nil
      }
      return range
    case .shifted(let amount):
      let lower = max(0, min(script.body.count - 1, range.lowerBound + Int(amount)))
      return lower..<max(lower + 1, range.upperBound)
    }
  }

  private static let reasons = [
    200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 410: "Gone", 416: "Range Not Satisfiable", 429: "Too Many Requests",
    500: "Internal Server Error", 503: "Service Unavailable",
  ]

  private static func now() -> String { HTTPDate.text(secondsSinceEpoch: Int(time(nil))) }
}

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
package enum HTTPDate {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(secondsSinceEpoch: Int) -> String {
    var moment = time_t(secondsSinceEpoch)
    var parts = tm()
    gmtime_r(&moment, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
    let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
    return "\(day) \(parts.tm_year + 1900) \(clock) GMT"
  }
}
