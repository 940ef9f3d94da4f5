package import DLSyncModel

/// What a host asked for that wants to be left alone.
package struct HostPause: Equatable, Sendable {
  /// The host that answered so, where redirects led.
  package let host: String
  package let length: Duration
  /// The status of that answer.
  package let statusCode: Int?

  package init(host: String, length: Duration, statusCode: Int? = nil) {
    self.host = host
    self.length = length
    self.statusCode = statusCode
  }
}

/// Reads `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// No server can hold a task longer than this.
  package static let limit: Duration = .seconds(86_400)

  /// How long the server asks to wait, or nil when it does not, or not in a way that can be understood. A date counts
  /// from the response's own Date, so that a wrong clock on either side does not matter; `now` (seconds since 1970)
  /// stands in where there is none. Of several fields the largest counts, also where somebody on the way made one of them
  /// (RFC 9110, section 5.3).
  package static func delay(_ head: ResponseHead, now: Int64) -> Duration? {
    let sent = head.first(.date).flatMap(HTTPDate.seconds) ?? now
    return head.values(.retryAfter).compactMap { delay($0, sent: sent) }.max()
  }

  /// The same with the host, whose answer to a request for `url` it is.
  package static func pause(_ head: ResponseHead, of url: SourceURL, now: Int64) -> HostPause? {
    delay(head, now: now).map { HostPause(host: url.host, length: $0, statusCode: head.statusCode) }
  }

  private static func delay(_ text: String, sent: Int64) -> Duration? {
    // A date has a comma as well, and no digit before it.
    if text.utf8.first.map(NumberText.isDigit) == true {
      return text.split(separator: ",").compactMap { seconds($0) }.max()
    }
    guard let date = HTTPDate.seconds(text) else { return nil }
    return min(.seconds(max(0, date - sent)), limit)
  }

  private static func seconds(_ text: Substring) -> Duration? {
    let digits = text.drop { $0 == " " || $0 == "\t" }
    guard !digits.isEmpty, digits.utf8.allSatisfy(NumberText.isDigit) else { return nil }
    return digits.plainNumber.map { min(.seconds($0), limit) } ?? limit
  }
}
