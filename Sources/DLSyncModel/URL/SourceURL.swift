/// An `http` or `https` URL that is ready to be asked for: absolute, without user information and fragment, dot segments
/// removed (RFC 3986, section 5.2.4), spaces and non-ASCII characters percent-encoded, existing `%XX` left alone.
/// Brackets and braces are plain characters. The host is in lower case, an international one in its own letters.
public struct SourceURL: Hashable, Sendable {
  /// The normalised text: recorded, compared, and what libcurl gets, which itself makes `xn--…` of an international host.
  public let text: String

  /// The reasons why a text is no such URL.
  public enum Problem: Error, Equatable, Sendable {
    /// Nothing was written.
    case empty
    /// Relative, and there is no base.
    case relative
    /// Another scheme than `http` and `https`.
    case scheme(String)
    /// A name or password before the host.
    case userInformation
    /// A `#`.
    case fragment
    /// Nothing where the host belongs.
    case noHost
    /// Something that can be no host.
    case badHost
    /// No number from 1 to 65535.
    case badPort
    /// A control character.
    case badCharacter
  }

  /// A URL as a person writes it, or a reference relative to `base` (RFC 3986, section 5.2).
  public init(_ written: String, relativeTo base: SourceURL? = nil) throws(Problem) {
    if Self.isPlain(written) {
      self.init(recorded: written)
      return
    }
    let reference = try URLReference(Array(written.utf8))
    guard !reference.hasUserInformation else { throw .userInformation }
    guard !reference.hasFragment else { throw .fragment }
    try self.init(reference, relativeTo: base, host: HostName.normalised)
  }

  /// The target of a redirect: like any reference, but user information is dropped and a fragment is not sent (RFC 9110,
  /// section 10.2.2), and what browsers forgive is forgiven.
  package init(location: String, relativeTo base: SourceURL) throws(Problem) {
    try self.init(location: Array(location.utf8), relativeTo: base)
  }

  /// The same from the bytes of the field, which need not be UTF-8. As in browsers, outer blanks and tabs do not count,
  /// a backslash in front of the query is a slash, slashes in front of the host are two, and the host may be encoded.
  package init(location bytes: [UInt8], relativeTo base: SourceURL) throws(Problem) {
    var bytes = bytes.filter { $0 != UInt8(ascii: "\t") }[...]
    while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    var location = Array(bytes)
    let end = location.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? location.count
    for index in 0..<end where location[index] == UInt8(ascii: "\\") { location[index] = UInt8(ascii: "/") }
    let reference = try URLReference(LocationText.straightened(location, base: base.scheme))
    try self.init(reference, relativeTo: base, host: HostName.forgiven)
  }

  /// A URL that this type wrote earlier, from a record.
  package init(recorded text: String) { self.text = text }

  /// RFC 3986, section 5.2.2, for the two schemes that there are.
  private init(
    _ reference: URLReference, relativeTo base: SourceURL?, host: (String) -> String?
  ) throws(Problem) {
    guard let scheme = reference.scheme ?? base?.scheme else { throw .relative }
    guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
    let authority: String
    var path = reference.path
    var query = reference.query
    if let own = reference.authority {
      authority = try Self.normalised(authority: own, scheme: scheme, host)
    } else {
      guard let base, reference.scheme == nil else { throw .noHost }
      authority = base.authority
      let above = Array(base.path.utf8)
      if path.isEmpty {
        path = above[...]
        query = query ?? base.query.map { Array($0.utf8)[...] }
      } else if path.first != UInt8(ascii: "/") {
        path = (above[...above.lastIndex(of: UInt8(ascii: "/"))!] + path)[...]
      }
    }
    var text = Array("\(scheme)://\(authority)".utf8)
    if path.first != UInt8(ascii: "/") { text.append(UInt8(ascii: "/")) }
    PercentEncoding.append(URLReference.removingDotSegments(path), to: &text)
    if let query {
      text.append(UInt8(ascii: "?"))
      PercentEncoding.append(query, to: &text)
    }
    self.text = String(decoding: text, as: UTF8.self)
  }

  private static func normalised(
    authority: ArraySlice<UInt8>, scheme: String, _ hostName: (String) -> String?
  ) throws(Problem) -> String {
    let colon = URLReference.portColon(authority)
    let hostBytes = colon.map { authority.prefix($0) } ?? authority
    guard !hostBytes.isEmpty else { throw .noHost }
    guard let written = String(validating: hostBytes, as: UTF8.self), let host = hostName(written) else {
      throw .badHost
    }
    guard let colon, colon + 1 < authority.count else { return host }
    let digits = authority.dropFirst(colon + 1)
    guard digits.allSatisfy(\.isASCIIDigit), let port = Int(String(decoding: digits, as: UTF8.self)),
      (1...65535).contains(port)
    else { throw .badPort }
    return port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)"
  }
}

extension SourceURL: CustomStringConvertible {
  /// The redacted form, so that a URL that slips into a message gives nothing away.
  public var description: String { redacted }
}
