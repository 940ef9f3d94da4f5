/// The host of a URL: a name, perhaps an international one (RFC 5890), or an address.
enum HostName {
  /// The host in the form in which it is recorded and shown: lower case, international names as their letters.
  /// Nil when it can be no host.
  static func normalised(_ written: String) -> String? {
    if written.utf8.first == UInt8(ascii: "[") { return isAddress6(written) ? written.lowercased() : nil }
    let host = String(
      String.UnicodeScalarView(written.lowercased().unicodeScalars.map { dots.contains($0) ? "." : $0 }))
    guard host.unicodeScalars.allSatisfy(isAllowed), let wire = ascii(host), wire.utf8.count <= 254 else { return nil }
    var labels = wire.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 1, labels.last == "" { labels.removeLast() }  // the root's dot, as in `example.org.`
    return labels.allSatisfy { (1...63).contains($0.utf8.count) } ? host : nil
  }

  /// The same of the host of a redirect, in which browsers and libcurl forgive `%XX` (RFC 3986, section 3.2.2) and letters
  /// that count for nothing.
  static func forgiven(_ written: String) -> String? {
    if written.utf8.first == UInt8(ascii: "[") { return normalised(written) }
    guard let decoded = PercentEncoding.decoded(written) else { return nil }
    return normalised(String(String.UnicodeScalarView(decoded.unicodeScalars.filter { !ignored.contains($0) })))
  }

  /// The host in the form in which it travels: international labels as `xn--…` (RFC 3492). Nil when one has no such form.
  static func ascii(_ host: String) -> String? {
    guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return host }
    var labels: [String] = []
    for label in host.split(separator: ".", omittingEmptySubsequences: false) {
      guard !label.utf8.allSatisfy({ $0 < 0x80 }) else {
        labels.append(String(label))
        continue
      }
      guard !label.hasPrefix("xn--"), let coded = Punycode.encode(label.unicodeScalars) else { return nil }
      labels.append("xn--" + coded)
    }
    return labels.joined(separator: ".")
  }

  /// Full stops of other scripts that separate labels as well (UTS 46).
  private static let dots: Set<Unicode.Scalar> = ["\u{3002}", "\u{ff0e}", "\u{ff61}"]

  /// The soft hyphen, and spaces and joiners of no width (UTS 46: "ignored").
  private static let ignored: Set<Unicode.Scalar> = ["\u{ad}", "\u{200b}", "\u{2060}", "\u{feff}"]

  /// What delimits parts of a URL, and everything else that libcurl takes in no host (`hostname_check` in its urlapi.c):
  /// resolvers know no such name.
  private static let forbidden: Set<Unicode.Scalar> = [
    " ", "!", "\"", "#", "$", "%", "&", "'", "(", ")", "*", "+", ",", "/", ":", ";", "<", "=", ">", "?", "@", "[", "\\",
    "]",
    "^", "`", "{", "|", "}",
  ]

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value > 0x20 && scalar.value != 0x7f && !forbidden.contains(scalar) }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return false
    default: return true
    }
  }

  /// `[` an IPv6 address (RFC 4291, section 2.2), perhaps with a zone behind `%25` (RFC 6874) `]`.
  private static func isAddress6(_ written: String) -> Bool {
    guard written.utf8.last == UInt8(ascii: "]") else { return false }
    var address = written.dropFirst().dropLast()
    if let percent = address.utf8.firstIndex(of: UInt8(ascii: "%")) {
      let zone = address[percent...]
      guard zone.hasPrefix("%25"), zone.utf8.count > 3, zone.dropFirst(3).utf8.allSatisfy(isZoneByte) else {
        return false
      }
      address = address[..<percent]
    }
    guard let gap = firstGap(address.utf8) else { return groups(address, mayEndIn4: true) == 8 }
    guard let left = groups(address[..<gap], mayEndIn4: false),
      let right = groups(address[address.utf8.index(gap, offsetBy: 2)...], mayEndIn4: true)
    else { return false }
    return left + right <= 7
  }

  /// Where `::` stands for the groups that are left out; a second one is found to be no group.
  private static func firstGap(_ address: Substring.UTF8View) -> String.Index? {
    zip(address.indices, address.indices.dropFirst()).first {
      address[$0] == UInt8(ascii: ":") && address[$1] == UInt8(ascii: ":")
    }?.0
  }

  private static func isZoneByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
  }

  /// How many groups of 16 bits a part of an address has; an IPv4 address at its end counts as two.
  private static func groups(_ part: Substring, mayEndIn4: Bool) -> Int? {
    guard !part.isEmpty else { return 0 }
    let groups = part.split(separator: ":", omittingEmptySubsequences: false)
    var count = 0
    for (index, group) in groups.enumerated() {
      if group.utf8.contains(UInt8(ascii: ".")) {
        guard mayEndIn4, index == groups.count - 1, isAddress4(group) else { return nil }
        count += 2
      } else {
        guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy({ Hex.value($0) != nil }) else { return nil }
        count += 1
      }
    }
    return count
  }

  private static func isAddress4(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy(\.isASCIIDigit) && Int(part)! <= 255
      }
  }
}
