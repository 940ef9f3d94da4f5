import DLSyncModel

/// Reads `network.proxy`: `none`, or an http, https or socks5 URL that may hold credentials. It is never quoted.
struct ProxyDecoder {
  private static let schemes: Set<String> = ["http", "https", "socks5"]

  let state: DecodingState

  func decode(_ node: NodeRef) -> QueueConfiguration.Network.Proxy? {
    guard let text = state.text(node) else { return nil }
    if text.value == "none" { return QueueConfiguration.Network.Proxy.none }
    if Self.isProxy(text.value) { return .url(text.value) }
    state.report(
      node, "this is not `none` or the URL of a proxy",
      hint:
        "write `http://HOST:PORT`, `https://HOST:PORT` or `socks5://HOST:PORT`, with `USER:PASSWORD@` before the host where it needs one"
    )
    return nil
  }

  /// Whether a text is the URL of a proxy.
  static func isProxy(_ text: String) -> Bool {
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
