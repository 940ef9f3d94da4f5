/// The response fields that somebody asks for. Their names are compared once, when a line is read; from then on each is one
/// byte, because a head is asked for a dozen of them.
package enum FieldName: UInt8, CaseIterable, Sendable {
  case acceptRanges, contentEncoding, contentLength, contentRange, contentType, date, entityTag, lastModified, location
  case retryAfter, setCookie, transferEncoding

  /// The name as it is usually written.
  package var text: String {
    switch self {
    case .acceptRanges: "Accept-Ranges"
    case .contentEncoding: "Content-Encoding"
    case .contentLength: "Content-Length"
    case .contentRange: "Content-Range"
    case .contentType: "Content-Type"
    case .date: "Date"
    case .entityTag: "ETag"
    case .lastModified: "Last-Modified"
    case .location: "Location"
    case .retryAfter: "Retry-After"
    case .setCookie: "Set-Cookie"
    case .transferEncoding: "Transfer-Encoding"
    }
  }

  /// Nil for a field that nobody asks for. Names compare without case (RFC 9110, section 5.1).
  package init?(_ name: String) {
    guard let known = Self.allCases.first(where: { name.isSameToken(as: $0.text) }) else { return nil }
    self = known
  }
}
