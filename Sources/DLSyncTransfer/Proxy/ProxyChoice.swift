package import DLSyncModel

/// Which proxy a URL is fetched through: the queue's own setting, else the environment as curl documents it
/// (`http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`, `no_proxy`, `NO_PROXY`). `HTTP_PROXY` in capitals
/// is not honoured, because a CGI program gets it from a request header.
///
/// Decided here and not by libcurl, whose older versions know neither address blocks nor blanks in `no_proxy`.
package struct ProxyChoice: Sendable {
  private enum Setting: Sendable {
    case fixed(String?)
    case environment(http: String?, https: String?, exceptions: ProxyExceptions)
  }

  private let setting: Setting

  package init(_ proxy: QueueConfiguration.Network.Proxy?, environment: [String: String]) {
    switch proxy {
    case .some(.none): setting = .fixed(nil)
    case .some(.url(let text)): setting = .fixed(text)
    case nil:
      func value(_ scheme: String) -> String? {
        Self.variable(scheme, environment).flatMap { environment[$0]?.trimmedOfBlanks }
      }
      setting = .environment(
        http: value("http"), https: value("https"),
        exceptions: ProxyExceptions(environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""))
    }
  }

  /// The variable that names the proxy of a scheme.
  private static func variable(_ scheme: String, _ environment: [String: String]) -> String? {
    let own = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    return (own + ["all_proxy", "ALL_PROXY"]).first { environment[$0]?.trimmedOfBlanks.isEmpty == false }
  }

  /// The proxy of the environment for a URL, host and port, and the variable that names it; nil for a direct connection.
  package static func ofEnvironment(
    for url: SourceURL, _ environment: [String: String]
  ) -> (variable: String, shown: String)? {
    guard let proxy = ProxyChoice(nil, environment: environment).proxy(for: url),
      let name = variable(url.scheme, environment)
    else { return nil }
    return (name, shown(proxy))
  }

  /// Whether no URL at all goes through a proxy: spares looking at each.
  var isNever: Bool {
    switch setting {
    case .fixed(let proxy): proxy == nil
    case .environment(let http, let https, _): http == nil && https == nil
    }
  }

  /// The proxy's URL, credentials included, or nil for a direct connection.
  package func proxy(for url: SourceURL) -> String? {
    switch setting {
    case .fixed(let proxy): return proxy
    case .environment(let http, let https, let exceptions):
      guard let proxy = url.scheme == "https" ? https : http else { return nil }
      return exceptions.contains(host: url.host, port: url.port) ? nil : proxy
    }
  }

  /// A proxy's URL as it may be shown: host and port.
  package static func shown(_ proxy: String) -> String {
    let rest = proxy.firstRange(of: "://").map { proxy[$0.upperBound...] } ?? proxy[...]
    // A password may hold what ends an authority, where somebody forgot to encode it.
    let place = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    return String(place.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
  }
}

extension String {
  fileprivate func firstRange(of needle: String) -> Range<String.Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(needle) { return index..<self.index(index, offsetBy: needle.count) }
      index = self.index(after: index)
    }
    return nil
  }
}
