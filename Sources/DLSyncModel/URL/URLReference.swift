/// A URI reference cut into its components (RFC 3986, section 3 and appendix B), nothing decoded yet. It works on bytes:
/// the `Location` of a server need not be UTF-8, and a path need not be text.
struct URLReference {
  /// Lower case.
  let scheme: String?
  let hasUserInformation: Bool
  /// Host and port without user information.
  let authority: ArraySlice<UInt8>?
  let path: ArraySlice<UInt8>
  let query: ArraySlice<UInt8>?
  let hasFragment: Bool

  init(_ written: [UInt8]) throws(SourceURL.Problem) {
    guard !written.isEmpty else { throw .empty }
    for byte in written where byte < 0x20 || byte == 0x7f { throw .badCharacter }
    var rest = written[...]
    hasFragment = Self.cut(&rest, at: UInt8(ascii: "#")) != nil
    query = Self.cut(&rest, at: UInt8(ascii: "?"))
    scheme = Self.takeScheme(&rest)
    guard rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) else {
      (hasUserInformation, authority, path) = (false, nil, rest)
      return
    }
    rest = rest.dropFirst(2)
    let whole = rest.prefix { $0 != UInt8(ascii: "/") }
    path = rest[whole.endIndex...]
    if let at = whole.lastIndex(of: UInt8(ascii: "@")) {
      (hasUserInformation, authority) = (true, whole[(at + 1)...])
    } else {
      (hasUserInformation, authority) = (false, whole)
    }
  }

  private static func cut(_ text: inout ArraySlice<UInt8>, at mark: UInt8) -> ArraySlice<UInt8>? {
    guard let index = text.firstIndex(of: mark) else { return nil }
    defer { text = text[..<index] }
    return text[(index + 1)...]
  }

  /// RFC 3986, section 3.1: a letter, then letters, digits, `+`, `-`, `.`, up to the colon.
  private static func takeScheme(_ text: inout ArraySlice<UInt8>) -> String? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, first.isASCIILetter else {
      return nil
    }
    let name = text[..<colon]
    let isScheme = name.allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".")
    }
    guard isScheme else { return nil }
    text = text[(colon + 1)...]
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  /// Where the port's colon is in an authority, if anywhere: behind the bracket of an IPv6 address.
  static func portColon(_ authority: some BidirectionalCollection<UInt8>) -> Int? {
    var offset = authority.count
    for byte in authority.reversed() {
      offset -= 1
      if byte == UInt8(ascii: ":") { return offset }
      if byte == UInt8(ascii: "]") { return nil }
    }
    return nil
  }

  /// RFC 3986, section 5.2.4. A percent-encoded dot counts as one (section 6.2.2.2), as browsers have it.
  static func removingDotSegments(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard segments.contains(where: { isDots($0, 1) || isDots($0, 2) }) else { return path }
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if isDots(segment, 1) {
        if isLast { kept.append([]) }
      } else if isDots(segment, 2) {
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append([]) }
      } else {
        kept.append(segment)
      }
    }
    return Array(kept.joined(separator: [UInt8(ascii: "/")]))[...]
  }

  /// Whether a segment is exactly so many dots, each plain or as `%2E`.
  private static func isDots(_ segment: ArraySlice<UInt8>, _ dots: Int) -> Bool {
    var (rest, found) = (segment, 0)
    while let byte = rest.first {
      if byte == UInt8(ascii: ".") {
        rest = rest.dropFirst()
      } else if rest.count >= 3, byte == UInt8(ascii: "%"), rest[rest.startIndex + 1] == UInt8(ascii: "2"),
        rest[rest.startIndex + 2] | 0x20 == UInt8(ascii: "e")
      {
        rest = rest.dropFirst(3)
      } else {
        return false
      }
      found += 1
      if found > dots { return false }
    }
    return found == dots
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
