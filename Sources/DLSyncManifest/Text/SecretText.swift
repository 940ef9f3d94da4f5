import DLSyncModel

/// What of a manifest's text may be shown.
enum SecretText {
  /// A text with the user information and the credential parameters of a URL in it replaced. Works on texts that are not
  /// quite URLs too, because those are what errors are about.
  static func redacted(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "=") }) else { return text }
    return Redaction.url(withoutUserInformation(text))
  }

  /// Whether a key's value is never shown.
  static func isSecret(key: String) -> Bool {
    let name = key.lowercased()
    return name == "proxy" || name.contains("cookie") || name.contains("authoriz")
      || Redaction.isCredential(parameter: name)
  }

  /// Whether a key holds headers, correctly spelt or not.
  static func isHeaders(key: String) -> Bool { NearestName.slip(key, among: ["headers"]) != nil }

  /// Whether what a key holds is a secret, or has one in it.
  static func mayHoldSecrets(key: String) -> Bool { isSecret(key: key) || isHeaders(key: key) }

  private static func withoutUserInformation(_ text: String) -> String {
    let start = authorityStart(text)
    let rest = text[start...].prefix { $0 != "?" && $0 != "#" }
    let segment = rest.prefix { $0 != "/" }
    var at = segment.lastIndex(of: "@")
    if at == nil, let colon = segment.firstIndex(of: ":") {
      // What stands behind the colon and is no port is the beginning of a password with a slash in it.
      let port = segment[segment.index(after: colon)...]
      if !port.utf8.allSatisfy(NumberText.isDigit) { at = rest.lastIndex(of: "@") }
    }
    guard let at, at > start else { return text }
    return text[..<start] + Redaction.mark + text[at...]
  }

  /// Behind `scheme:` and the slashes that follow; the beginning where there is no such thing.
  private static func authorityStart(_ text: String) -> String.Index {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
    var rest = text[scheme.endIndex...]
    if rest.hasPrefix(":/") { rest = rest.dropFirst() } else { rest = text[...] }
    return rest.drop { $0 == "/" }.startIndex
  }
}
