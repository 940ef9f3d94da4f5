/// The cookies of one transfer: set on its redirects, sent back to the host that set them (whatever port), forgotten with
/// the transfer. Domain and Path widen or narrow nothing here: the host alone decides (RFC 6265, section 5.4, cut down).
package struct CookieJar: Sendable {
  private struct Cookie {
    let name: String
    let value: String
    let isSecure: Bool
  }

  /// Bounds for what a hostile server can make us send.
  private static let countLimit = 50
  private static let lengthLimit = 4096

  private var cookies: [String: [Cookie]] = [:]

  package init() {}

  package var isEmpty: Bool { cookies.isEmpty }

  /// Takes a `Set-Cookie` field from a host. A cookie that is expired already deletes its namesake.
  package mutating func take(_ field: String, host: String, isSecureOrigin: Bool) {
    let parts = field.split(separator: ";", omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: "="), field.utf8.count <= Self.lengthLimit else {
      return
    }
    let name = pair[..<equals].trimmedOfBlanks
    guard !name.isEmpty, field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return }
    let attributes = parts.dropFirst().map(\.trimmedOfBlanks)
    let isSecure = attributes.contains { $0.isSameToken(as: "secure") }
    if isSecure, !isSecureOrigin { return }
    var kept = (cookies[host] ?? []).filter { $0.name != name }
    if !attributes.contains(where: Self.isExpired), kept.count < Self.countLimit {
      kept.append(Cookie(name: name, value: pair[pair.index(after: equals)...].trimmedOfBlanks, isSecure: isSecure))
    }
    cookies[host] = kept
  }

  /// The value of the `Cookie` field for a request to a host, or nil.
  package func field(host: String, isSecure: Bool) -> String? {
    let sent = (cookies[host] ?? []).filter { isSecure || !$0.isSecure }
    return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  private static func isExpired(_ attribute: String) -> Bool {
    let parts = attribute.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].trimmedOfBlanks.isSameToken(as: "max-age") else { return false }
    let age = parts[1].trimmedOfBlanks
    return age.hasPrefix("-") || age.plainNumber == 0
  }
}
