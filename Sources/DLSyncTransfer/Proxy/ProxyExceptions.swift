import Glibc

/// The hosts of `no_proxy`: names, `.suffix`es, addresses with or without brackets, address blocks and `*`, separated by
/// commas or blanks. A name stands for itself and everything below it, with or without a leading dot, as curl has it.
package struct ProxyExceptions: Sendable {
  private enum Rule: Sendable {
    case everything
    case name(String, port: Int?)
    case block(address: [UInt8], bits: Int, port: Int?)
  }

  private let rules: [Rule]

  package init(_ list: String) {
    rules = list.split { $0 == "," || $0.isWhitespace }.compactMap { Self.rule($0.lowercased()) }
  }

  /// Whether a host (an IPv6 address in brackets or not) is reached directly.
  package func contains(host: String, port: Int) -> Bool {
    guard !rules.isEmpty else { return false }
    let plain = Self.unbracketed(host.lowercased())
    let name = plain.hasSuffix(".") ? String(plain.dropLast()) : plain
    let address = Self.address(plain)
    return rules.contains { rule in
      switch rule {
      case .everything: true
      case .name(let suffix, let only):
        (only == nil || only == port) && address == nil && (name == suffix || name.hasSuffix("." + suffix))
      case .block(let block, let bits, let only):
        (only == nil || only == port) && address.map { Self.agree($0, block, bits: bits) } ?? false
      }
    }
  }

  private static func rule(_ text: String) -> Rule? {
    if text == "*" { return .everything }
    if let slash = text.lastIndex(of: "/") {
      guard let address = address(unbracketed(String(text[..<slash]))),
        let bits = text[text.index(after: slash)...].plainNumber, bits <= address.count * 8
      else { return nil }
      return .block(address: address, bits: Int(bits), port: nil)
    }
    if let address = address(unbracketed(text)) { return .block(address: address, bits: address.count * 8, port: nil) }
    var host = text
    var port: Int?
    if let colon = text.lastIndex(of: ":"), let number = text[text.index(after: colon)...].plainNumber {
      host = String(text[..<colon])
      port = Int(number)
    }
    if let address = address(unbracketed(host)) { return .block(address: address, bits: address.count * 8, port: port) }
    if host.hasPrefix("*.") { host.removeFirst() }
    while host.hasPrefix(".") { host.removeFirst() }
    if host.hasSuffix(".") { host.removeLast() }
    return host.isEmpty ? nil : .name(host, port: port)
  }

  private static func unbracketed(_ text: String) -> String {
    text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
  }

  /// The bytes of a numeric address, or nil for a name.
  private static func address(_ text: String) -> [UInt8]? {
    for (family, length) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: length)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  private static func agree(_ left: [UInt8], _ right: [UInt8], bits: Int) -> Bool {
    guard left.count == right.count else { return false }
    let whole = bits / 8
    guard left[..<whole] == right[..<whole] else { return false }
    let rest = bits % 8
    guard rest > 0 else { return true }
    let mask = UInt8(truncatingIfNeeded: 0xff << (8 - rest))
    return left[whole] & mask == right[whole] & mask
  }
}
