/// What browsers forgive in the text of a `Location` (URL Standard, section 4.4, for `http` and `https`).
enum LocationText {
  private static let slash = UInt8(ascii: "/")

  /// The same as a reference of RFC 3986: behind a scheme, or in front of a host, are two slashes, however many were
  /// written; with fewer than two, the scheme of the page itself says nothing.
  static func straightened(_ text: [UInt8], base: String) -> [UInt8] {
    for scheme in ["https", "http"] where begins(text, with: scheme) {
      let rest = text[(scheme.utf8.count + 1)...]
      let slashes = rest.prefix { $0 == slash }.count
      if slashes < 2, scheme == base { return Array(rest) }
      return Array("\(scheme)://".utf8) + rest.dropFirst(slashes)
    }
    let slashes = text.prefix { $0 == slash }.count
    return slashes > 2 ? Array(text.dropFirst(slashes - 2)) : text
  }

  private static func begins(_ text: [UInt8], with scheme: String) -> Bool {
    text.count > scheme.utf8.count && text[scheme.utf8.count] == UInt8(ascii: ":")
      && text.prefix(scheme.utf8.count).elementsEqual(scheme.utf8) { $0 | 0x20 == $1 }
  }
}
