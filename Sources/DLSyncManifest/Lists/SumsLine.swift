import DLSyncModel

/// One line of a list of checksums, in any of the usual styles:
///
///     2c26…  name            as sha256sum writes it; the second blank may be a `*`, the mark of binary mode
///     SHA256 (name) = 2c26…  as BSD, `--tag` and OpenSSL write it
///     2c26…                  of the one file that the list goes with
struct SumsLine {
  let bytes: [UInt8]
  /// Named by the line itself.
  let algorithm: DigestAlgorithm?
  /// As it is written, escapes replaced; nil where the line is a digest alone.
  let name: String?

  /// Nil for what is no such line: a comment, an empty one, other text.
  init?(_ line: ArraySlice<UInt8>) {
    var line = line
    while let last = line.last, last == 0x0d || last == 0x0a { line.removeLast() }
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }), first != UInt8(ascii: "#") else { return nil }
    let isEscaped = line.first == UInt8(ascii: "\\")
    let start = isEscaped ? line.dropFirst() : line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let read = Self.plain(start) ?? Self.tagged(start) else { return nil }
    bytes = read.bytes
    algorithm = read.algorithm
    name = read.name.map { String(decoding: isEscaped ? Self.unescaped($0) : Array($0), as: UTF8.self) }
  }

  /// The digest, with the algorithm that the line names or that gives so many bytes; of two the usual one.
  var digest: Digest? {
    let algorithm = algorithm ?? DigestAlgorithm.allCases.first { $0.length == bytes.count }
    return algorithm.flatMap { Digest($0, bytes: bytes) }
  }

  /// A name as a path within a URL: what has a meaning in URLs is encoded.
  static func reference(_ name: String) -> String {
    name.escaped { scalar in
      switch scalar {
      case "%": return "%25"
      case "#": return "%23"
      case "?": return "%3F"
      case "\\": return "%5C"
      case "\0"..."\u{1f}", "\u{7f}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return digits.count < 2 ? "%0\(digits)" : "%\(digits)"
      default: return nil
      }
    }
  }

  private typealias Parts = (bytes: [UInt8], algorithm: DigestAlgorithm?, name: ArraySlice<UInt8>?)

  /// Digits, then nothing, or one or two characters and the name.
  private static func plain(_ line: ArraySlice<UInt8>) -> Parts? {
    let digits = line.prefix { Hex.value($0) != nil }
    guard isDigestLength(digits.count), let bytes = decode(digits) else { return nil }
    var rest = line[digits.endIndex...]
    guard let blank = rest.first else { return (bytes, nil, nil) }
    guard blank == 0x20 || blank == 0x09 else { return nil }
    rest.removeFirst()
    if let mark = rest.first, mark == 0x20 || mark == UInt8(ascii: "*") { rest.removeFirst() }
    guard rest.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return (bytes, nil, nil) }
    return (bytes, nil, rest)
  }

  /// `ALGORITHM (name) = digits`, with or without the blanks.
  private static func tagged(_ line: ArraySlice<UInt8>) -> Parts? {
    guard let open = line.firstIndex(of: UInt8(ascii: "(")), let close = line.lastIndex(of: UInt8(ascii: ")")),
      open < close, let algorithm = algorithm(line[..<open])
    else { return nil }
    var rest = line[(close + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    guard rest.count == algorithm.length * 2, let bytes = decode(rest) else { return nil }
    return (bytes, algorithm, line[(open + 1)..<close])
  }

  private static func algorithm(_ word: ArraySlice<UInt8>) -> DigestAlgorithm? {
    let name = String(decoding: word, as: UTF8.self).lowercased().filter { $0 != " " }
    // b2sum leaves the length out where it is the usual one, OpenSSL names the family too.
    if name == "blake2b" { return .blake2b512 }
    return DigestAlgorithm(name: name.hasPrefix("sha2-") ? "sha" + name.dropFirst(5) : name)
  }

  private static func isDigestLength(_ digits: Int) -> Bool {
    DigestAlgorithm.allCases.contains { $0.length * 2 == digits }
  }

  private static func decode(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var index = digits.startIndex
    while index + 1 < digits.endIndex {
      guard let high = Hex.value(digits[index]), let low = Hex.value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return index == digits.endIndex ? bytes : nil
  }

  /// A line that begins with a backslash has backslashes and line ends of the name escaped.
  private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var out: [UInt8] = []
    var isEscape = false
    for byte in name {
      if isEscape {
        out.append(byte == UInt8(ascii: "n") ? 0x0a : byte == UInt8(ascii: "r") ? 0x0d : byte)
        isEscape = false
      } else if byte == UInt8(ascii: "\\") {
        isEscape = true
      } else {
        out.append(byte)
      }
    }
    return out
  }
}
