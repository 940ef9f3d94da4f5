/// A URI reference cut into its five components (RFC 3986, section 3 and appendix B), nothing decoded yet.
struct URLReference {
  let scheme: String?
  let userInformation: String?
  /// Host and port without user information.
  let authority: String?
  let path: String
  let query: String?
  let fragment: String?

  init(_ written: String) throws(SourceURL.Problem) {
    guard !written.isEmpty else { throw .empty }
    for scalar in written.unicodeScalars where scalar.value < 0x20 || scalar.value == 0x7f { throw .badCharacter }
    var rest = written[...]
    fragment = Self.cut(&rest, at: "#")
    query = Self.cut(&rest, at: "?")
    scheme = Self.takeScheme(&rest)
    if rest.hasPrefix("//") {
      let authority = rest.dropFirst(2).prefix { $0 != "/" }
      rest = rest.dropFirst(2 + authority.count)
      if let at = authority.lastIndex(of: "@") {
        userInformation = String(authority[..<at])
        self.authority = String(authority[authority.index(after: at)...])
      } else {
        userInformation = nil
        self.authority = String(authority)
      }
    } else {
      userInformation = nil
      authority = nil
    }
    path = String(rest)
  }

  private static func cut(_ text: inout Substring, at mark: Character) -> String? {
    guard let index = text.firstIndex(of: mark) else { return nil }
    defer { text = text[..<index] }
    return String(text[text.index(after: index)...])
  }

  /// RFC 3986, section 3.1: a letter, then letters, digits, `+`, `-`, `.`, up to the colon.
  private static func takeScheme(_ text: inout Substring) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon]
    guard let first = name.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else { return nil }
    let isScheme = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "+" || $0 == "-" || $0 == ".")
    }
    guard isScheme else { return nil }
    text = text[text.utf8.index(after: colon)...]
    return name.lowercased()
  }

  /// Host and port of an authority, or nil when the port is not a number from 1 to 65535. An empty port counts as none.
  static func split(authority: String) -> (host: String, port: Int?)? {
    let utf8 = authority.utf8
    let searchFrom =
      utf8.first == UInt8(ascii: "[") ? utf8.firstIndex(of: UInt8(ascii: "]")) ?? utf8.startIndex : utf8.startIndex
    guard let colon = utf8[searchFrom...].firstIndex(of: UInt8(ascii: ":")) else { return (authority, nil) }
    let host = String(authority[..<colon])
    let digits = authority[utf8.index(after: colon)...]
    if digits.isEmpty { return (host, nil) }
    guard digits.utf8.allSatisfy({ ("0"..."9").contains(Unicode.Scalar($0)) }), let port = Int(digits),
      (1...65535).contains(port)
    else { return nil }
    return (host, port)
  }

  /// Whether a text can be a host: an IPv6 address in brackets, or a name without the characters that end one.
  static func isPlausible(host: String) -> Bool {
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), host.utf8.count > 4 else { return false }
      return host.dropFirst().dropLast().utf8.allSatisfy {
        Hex.value($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%")
      }
    }
    let forbidden: Set<Unicode.Scalar> = [
      " ", "<", ">", "\"", "\\", "^", "`", "{", "|", "}", "[", "]", "%", "@", ":", "/", "?", "#", ",", ";",
    ]
    return host.unicodeScalars.allSatisfy { !forbidden.contains($0) } && !host.hasPrefix(".") && !host.contains("..")
  }

  /// RFC 3986, section 5.2.4. A percent-encoded dot counts as one (section 6.2.2.2), as browsers have it.
  static func removingDotSegments(_ path: String) -> String {
    func isDot(_ segment: Substring, _ dots: Int) -> Bool {
      guard segment.utf8.count <= 6, segment.utf8.count >= dots else { return false }
      var rest = segment.lowercased()[...]
      for _ in 0..<dots {
        if rest.hasPrefix(".") {
          rest = rest.dropFirst()
        } else if rest.hasPrefix("%2e") {
          rest = rest.dropFirst(3)
        } else {
          return false
        }
      }
      return rest.isEmpty
    }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if isDot(segment, 1) {
        if isLast { kept.append("") }
      } else if isDot(segment, 2) {
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      } else {
        kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}
