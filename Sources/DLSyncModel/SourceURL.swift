/// An `http` or `https` URL that is ready to be asked for: absolute, without user information and fragment, dot segments
/// removed (RFC 3986, section 5.2.4), spaces and non-ASCII characters percent-encoded, existing `%XX` left alone.
/// Brackets and braces are plain characters.
public struct SourceURL: Hashable, Sendable {
  /// The normalised text, the form that is sent, recorded and compared.
  public let text: String

  /// The reasons why a text is no such URL.
  public enum Problem: Error, Equatable, Sendable {
    case empty
    /// Relative, and there is no base.
    case relative
    /// Another scheme than `http` and `https`.
    case scheme(String)
    case userInformation
    case fragment
    case noHost
    case badHost
    case badPort
    /// A control character or another one that no URL holds.
    case badCharacter
  }

  /// A URL as a person writes it, or a reference relative to `base` (RFC 3986, section 5.2).
  public init(_ written: String, relativeTo base: SourceURL? = nil) throws(Problem) {
    if let plain = Self.plain(written, relativeTo: base) {
      self = plain
      return
    }
    let reference = try URLReference(written)
    guard reference.userInformation == nil else { throw .userInformation }
    guard reference.fragment == nil else { throw .fragment }
    try self.init(reference, relativeTo: base)
  }

  /// The target of a redirect: like any reference, but user information is dropped and a fragment is not sent, as
  /// browsers do (RFC 9110, section 10.2.2).
  package init(location: String, relativeTo base: SourceURL) throws(Problem) {
    try self.init(URLReference(location), relativeTo: base)
  }

  private init(_ reference: URLReference, relativeTo base: SourceURL?) throws(Problem) {
    let scheme: String
    let authority: String
    var path = reference.path
    var query = reference.query
    if let own = reference.scheme {
      scheme = own
    } else {
      guard let base else { throw .relative }
      scheme = base.scheme
    }
    guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
    if let own = reference.authority {
      authority = try Self.normalised(authority: own, scheme: scheme)
    } else {
      guard let base, reference.scheme == nil else { throw .noHost }
      authority = base.authority
      if path.isEmpty {
        path = base.path
        if query == nil { query = base.query }
      } else if !path.hasPrefix("/") {
        let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/"))!
        path = base.path[...slash] + path
      }
    }
    let clean = PercentEncoding.path(URLReference.removingDotSegments(path))
    var text = scheme + "://" + authority + (clean.hasPrefix("/") ? clean : "/" + clean)
    if let query { text += "?" + PercentEncoding.query(query) }
    self.text = text
  }

  /// A URL that this type wrote earlier, from a record.
  package init(recorded text: String) { self.text = text }

  private static func normalised(authority: String, scheme: String) throws(Problem) -> String {
    guard let (host, port) = URLReference.split(authority: authority) else { throw .badPort }
    guard !host.isEmpty else { throw .noHost }
    guard URLReference.isPlausible(host: host) else { throw .badHost }
    let isDefault = port == nil || port == (scheme == "https" ? 443 : 80)
    return host.lowercased() + (isDefault ? "" : ":\(port!)")
  }
}

extension SourceURL {
  /// `http` or `https`.
  public var scheme: String { text.utf8.dropFirst(4).first == UInt8(ascii: "s") ? "https" : "http" }

  /// Host and, where it is not the scheme's own, port.
  public var authority: String { String(text[authorityStart..<authorityEnd]) }

  /// The host, an IPv6 address in its brackets.
  public var host: String { URLReference.split(authority: authority)!.host }

  /// The port, 80 or 443 where none was written.
  public var port: Int { URLReference.split(authority: authority)!.port ?? (scheme == "https" ? 443 : 80) }

  /// Scheme, host and port: what credentials are bound to (RFC 6454, section 4).
  public var origin: String { String(text[..<authorityEnd]) }

  /// The path, never empty.
  public var path: String {
    let rest = text[authorityEnd...]
    return String(rest.prefix { $0 != "?" })
  }

  /// What stands behind the question mark, or nil.
  public var query: String? {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return String(text[text.utf8.index(after: mark)...])
  }

  /// The file name that the URL suggests: its last path component, percent-decoded. Nil when there is none, or when it
  /// decodes to `.`, `..`, invalid UTF-8, or something with a slash or NUL in it.
  public var fileName: String? {
    let path = path
    let last = path[path.utf8.index(after: path.utf8.lastIndex(of: UInt8(ascii: "/"))!)...]
    guard let name = PercentEncoding.decoded(last), !name.isEmpty, name != ".", name != ".." else { return nil }
    return name.utf8.contains(UInt8(ascii: "/")) || name.utf8.contains(0) ? nil : name
  }

  /// The URL for people and records of errors: the value of each query parameter that looks like a credential is `…`.
  public var redacted: String { Redaction.url(text) }

  private var authorityStart: String.Index {
    text.utf8.index(text.utf8.startIndex, offsetBy: scheme.utf8.count + 3)
  }

  private var authorityEnd: String.Index {
    text.utf8[authorityStart...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex
  }
}

extension SourceURL: CustomStringConvertible {
  /// The redacted form, so that a URL that slips into a message gives nothing away.
  public var description: String { redacted }
}
