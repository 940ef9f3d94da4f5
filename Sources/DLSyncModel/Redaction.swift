/// What may be shown of URLs and headers. Everything that prints or records goes through here.
package enum Redaction {
  /// What stands in the place of a secret.
  package static let mark = "…"

  private static let words: [String] = [
    "token", "sig", "signature", "key", "secret", "password", "passwd", "pwd", "auth", "credential", "session", "code",
    "hmac", "policy", "sas",
  ]

  /// Whether a query parameter of this name carries a credential: its name, cut at `-`, `_` and `.`, holds one of the
  /// usual words, or ends in one (`accesstoken`, `apikey`).
  package static func isCredential(parameter name: some StringProtocol) -> Bool {
    let plain = (PercentEncoding.decoded(name) ?? String(name)).lowercased()
    let parts = plain.split { $0 == "-" || $0 == "_" || $0 == "." || $0 == "[" || $0 == "]" }
    return parts.contains { part in
      words.contains {
        part == $0 || ($0.count > 3 && (part.hasSuffix($0) || part.hasPrefix($0)))
          || (part.hasSuffix($0) && $0 == "key")
      }
    }
  }

  /// A URL without the values of its credential parameters and without user information.
  package static func url(_ text: String) -> String { transform(text, keep: true) }

  /// A URL without its credential parameters at all: the form that may be stored.
  package static func storable(_ text: String) -> String { transform(text, keep: false) }

  private static func transform(_ text: String, keep: Bool) -> String {
    var text = text
    if let authority = text.range(of: "://") {
      let end = text[authority.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
      if let at = text[authority.upperBound..<end].lastIndex(of: "@") {
        text.replaceSubrange(authority.upperBound..<at, with: mark)
      }
    }
    guard let question = text.firstIndex(of: "?") else { return text }
    var changed = false
    let parameters = text[text.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
    let shown = parameters.compactMap { parameter -> String? in
      let name = parameter.prefix { $0 != "=" }
      guard name.endIndex != parameter.endIndex, isCredential(parameter: name) else { return String(parameter) }
      changed = true
      return keep ? "\(name)=\(mark)" : nil
    }
    guard changed else { return text }
    let query = shown.joined(separator: "&")
    return String(text[..<question]) + (query.isEmpty ? "" : "?" + query)
  }

  private static let secretHeaders: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "set-cookie2", "www-authenticate",
    "proxy-authenticate", "authentication-info", "proxy-authentication-info", "x-amz-security-token", "x-auth-token",
    "x-api-key", "x-csrf-token",
  ]

  /// Whether a response header may stand in a snapshot.
  package static func mayShow(responseHeader name: String) -> Bool {
    let name = name.lowercased()
    return !secretHeaders.contains(name) && !name.contains("token") && !name.contains("secret")
  }
}

extension String {
  /// The first range of an ASCII text.
  fileprivate func range(of needle: String) -> Range<String.Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(needle) { return index..<self.index(index, offsetBy: needle.count) }
      index = self.index(after: index)
    }
    return nil
  }
}
