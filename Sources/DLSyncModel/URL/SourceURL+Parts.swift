extension SourceURL {
  /// `http` or `https`.
  public var scheme: String { text.utf8.dropFirst(4).first == UInt8(ascii: "s") ? "https" : "http" }

  /// Host and, where it is not the scheme's own, port.
  public var authority: String { String(text[authorityStart..<authorityEnd]) }

  /// The host, an IPv6 address in its brackets, an international name in its own letters.
  public var host: String { String(text[authorityStart..<(portColon ?? authorityEnd)]) }

  /// The port, 80 or 443 where none was written.
  public var port: Int {
    guard let colon = portColon, let port = Int(text[text.utf8.index(after: colon)..<authorityEnd]) else {
      return scheme == "https" ? 443 : 80
    }
    return port
  }

  /// Scheme, host and port: what credentials are bound to (RFC 6454, section 4).
  public var origin: String { String(text[..<authorityEnd]) }

  /// The path, never empty.
  public var path: String {
    let rest = text[authorityEnd...]
    return String(rest[..<(rest.utf8.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex)])
  }

  /// What stands behind the question mark, or nil.
  public var query: String? {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return String(text[text.utf8.index(after: mark)...])
  }

  /// The file name that the URL suggests: its last path component, percent-decoded. Nil when there is none, or when it
  /// decodes to `.`, `..`, invalid UTF-8, or something with a slash or NUL in it.
  public var fileName: String? {
    // The short way: nothing to decode and no query, and dot segments are gone already.
    if !text.utf8.contains(UInt8(ascii: "%")), !text.utf8.contains(UInt8(ascii: "?")) {
      let name = text[text.utf8.index(after: text.utf8.lastIndex(of: UInt8(ascii: "/"))!)...]
      return name.isEmpty ? nil : String(name)
    }
    let path = path
    let last = path[path.utf8.index(after: path.utf8.lastIndex(of: UInt8(ascii: "/"))!)...]
    guard let name = PercentEncoding.decoded(last), !name.isEmpty, name != ".", name != ".." else { return nil }
    return name.utf8.contains(UInt8(ascii: "/")) || name.utf8.contains(0) ? nil : name
  }

  /// The URL for people and records of errors: the value of each query parameter that looks like a credential is `…`.
  public var redacted: String { Redaction.url(text) }

  /// The same for a message, where a very long one has `…` in its middle: a server that redirects chooses the length.
  package var shown: String {
    let text = redacted
    return text.utf8.count <= 500 ? text : "\(text.prefix(250))\(Redaction.mark)\(text.suffix(200))"
  }

  private var authorityStart: String.Index {
    text.utf8.index(text.utf8.startIndex, offsetBy: scheme.utf8.count + 3)
  }

  private var authorityEnd: String.Index {
    text.utf8[authorityStart...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex
  }

  private var portColon: String.Index? {
    let authority = text.utf8[authorityStart..<authorityEnd]
    return URLReference.portColon(authority).map { authority.index(authority.startIndex, offsetBy: $0) }
  }
}

extension String {
  /// A URL as far as its question mark.
  package var withoutQuery: Substring { self[..<(utf8.firstIndex(of: UInt8(ascii: "?")) ?? endIndex)] }
}
