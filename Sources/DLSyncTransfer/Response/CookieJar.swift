import DLSyncSystem

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

  /// Takes a `Set-Cookie` field from a host. A cookie that is expired already deletes its namesake; `now` is in seconds
  /// since 1970.
  package mutating func take(_ field: String, host: String, isSecureOrigin: Bool, now: Int64 = WallClock.seconds) {
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
    if !Self.isExpired(attributes, now), kept.count < Self.countLimit {
      kept.append(Cookie(name: name, value: pair[pair.index(after: equals)...].trimmedOfBlanks, isSecure: isSecure))
    }
    cookies[host] = kept
  }

  /// The value of the `Cookie` field for a request to a host, or nil.
  package func field(host: String, isSecure: Bool) -> String? {
    let sent = (cookies[host] ?? []).filter { isSecure || !$0.isSecure }
    return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Max-Age decides, and Expires where there is none; of several the last (RFC 6265, section 5.3). What is no number and
  /// no date is not there.
  private static func isExpired(_ attributes: [String], _ now: Int64) -> Bool {
    func last<Value>(_ name: String, _ read: (String) -> Value?) -> Value? {
      for attribute in attributes.reversed() {
        let parts = attribute.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimmedOfBlanks.isSameToken(as: name) else { continue }
        if let value = read(parts[1].trimmedOfBlanks) { return value }
      }
      return nil
    }
    let isAged = last("max-age") { age -> Bool? in
      guard age.hasPrefix("-") else { return age.plainNumber.map { $0 == 0 } }
      return age.dropFirst().plainNumber == nil ? nil : true
    }
    return isAged ?? last("expires", HTTPDate.seconds).map { $0 <= now } ?? false
  }
}
