/// What may be shown of URLs and headers. Everything that prints or records goes through here.
package enum Redaction {
  /// What stands in the place of a secret.
  package static let mark = "…"

  /// Whether a query parameter of this name carries a credential.
  package static func isCredential(parameter name: some StringProtocol) -> Bool {
    CredentialName(name) != .ordinary
  }

  /// A URL without the values of its credential parameters and without user information.
  package static func url(_ text: String) -> String {
    rewritten(text) { name, value in
      isCredential(parameter: name) && !value.isEmpty ? "\(name)=\(mark)" : "\(name)=\(value)"
    }
  }

  /// A URL in the form that may be stored: without its credential parameters. A parameter that may as well choose the
  /// resource (`key`, `code`) leaves a short fingerprint of its value, so that another one is seen to be another.
  package static func storable(_ text: String) -> String {
    rewritten(text) { name, value in
      switch CredentialName(name) {
      case .ordinary: "\(name)=\(value)"
      case .credential: nil
      case .perhaps: value.hasPrefix(mark) ? "\(name)=\(value)" : "\(name)=\(mark)\(fingerprint(value))"
      }
    }
  }

  /// Two URLs with equal ones name one resource: nothing is left that a renewed signature changes.
  package static func resource(_ text: String, isSigned: Bool) -> String {
    let stored = storable(text)
    guard isSigned else { return stored }
    return rewritten(stored) { name, value in
      CredentialName.belongsToSignature(name) ? nil : "\(name)=\(value)"
    }
  }

  /// Whether a query carries a signature or another credential that is renewed, and its companions with it.
  package static func isSigned(_ text: String) -> Bool {
    var found = false
    _ = rewritten(text) { name, value in
      found = found || CredentialName(name) == .credential
      return "\(name)=\(value)"
    }
    return found
  }

  private static func fingerprint(_ value: Substring) -> String {
    var hash = StableHash()
    hash.combine(String(value))
    return String(hash.finish() >> 40, radix: 16)
  }

  /// The URL with its parameters put in other words, those without a value left as they are; without a fragment's
  /// parameters, which are none, and with user information gone. A text with neither comes back as it is.
  private static func rewritten(_ text: String, _ parameter: (Substring, Substring) -> String?) -> String {
    let text = withoutUserInformation(text)
    guard let question = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return text }
    let start = text.utf8.index(after: question)
    let end = text.utf8[start...].firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
    let words = text[start..<end].utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map(Substring.init).compactMap { word in
        guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return String(word) }
        return parameter(word[..<equals], word[word.utf8.index(after: equals)...])
      }
    let query = words.joined(separator: "&")
    return String(text[..<question]) + (query.isEmpty && start != end ? "" : "?" + query) + text[end...]
  }

  private static func withoutUserInformation(_ text: String) -> String {
    var text = text
    // In one piece of memory this is a single pass; hardly any URL has one.
    guard text.withUTF8({ $0.contains(UInt8(ascii: "@")) }) else { return text }
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), text[colon...].hasPrefix("://") else { return text }
    let start = bytes.index(colon, offsetBy: 3)
    let end =
      bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
      ?? text.endIndex
    guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return text }
    return String(text[..<start]) + mark + String(text[at...])
  }

  private static let secretHeaders: Set<[UInt8]> = Set(
    [
      "authorization", "proxy-authorization", "cookie", "set-cookie", "set-cookie2", "www-authenticate",
      "proxy-authenticate", "authentication-info", "proxy-authentication-info", "x-api-key", "location",
      "content-location", "refresh", "link",
    ].map { Array($0.utf8) })

  private static let secretWords = ["token", "secret", "signature", "password", "session"].map { Array($0.utf8) }

  /// Whether a response header may stand in a snapshot. Those that carry URLs are left out: the final URL is shown
  /// redacted, and a signature must not come in by the back door.
  package static func mayShow(responseHeader name: String) -> Bool {
    // Every response brings a dozen names: bytes, not characters. Setting the bit makes ASCII letters small.
    let name = name.utf8.map { $0 | 0x20 }
    return !secretHeaders.contains(name) && !secretWords.contains { name.holds($0) }
  }
}

extension [UInt8] {
  /// Whether another sequence of bytes stands anywhere in this one.
  fileprivate func holds(_ word: [UInt8]) -> Bool {
    guard count >= word.count else { return false }
    return (0...count - word.count).contains { self[$0...].starts(with: word) }
  }
}
