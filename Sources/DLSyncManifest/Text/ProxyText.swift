import DLSyncModel

/// What may be the URL of a proxy.
package enum ProxyText {
  private static let schemes: Set<String> = ["http", "https", "socks5"]

  /// Whether a text is the URL of a proxy.
  package static func isProxy(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), schemes.contains(text[..<colon].lowercased()),
      text[colon...].hasPrefix("://"),
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7f })
    else { return false }
    var authority = text[colon...].dropFirst(3)
    if authority.hasSuffix("/") { authority = authority.dropLast() }
    if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      guard !authority[..<at].contains("/") else { return false }
      authority = authority[authority.utf8.index(after: at)...]
    }
    guard !authority.isEmpty, !authority.contains("/"), !authority.contains("?"), !authority.contains("#") else {
      return false
    }
    return (try? SourceURL("http://" + authority)) != nil
  }
}
