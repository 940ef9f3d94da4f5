internal import DLSyncModel

/// Reads the text of a netrc file: `machine NAME login NAME password WORD …`, `default …`, `macdef NAME` up to an empty line,
/// `#` and what follows it where no value is awaited. A value may stand in double quotes, with `\"`, `\\`, `\n`, `\r`, `\t`.
///
/// Stricter than others on purpose: a file that is misread sends the wrong identity, or none, without a word.
struct NetrcReader {
  /// The identities in their order. Errors name the line and quote nothing: any word could be a password.
  static func read(_ bytes: [UInt8], source: String) throws(DLSyncError) -> [Netrc.Identity] {
    var reader = NetrcReader(rest: bytes[...], source: source)
    return try reader.identities()
  }

  private var rest: ArraySlice<UInt8>
  private let source: String
  private var line = 1

  private init(rest: ArraySlice<UInt8>, source: String) {
    self.rest = rest
    self.source = source
  }

  private mutating func identities() throws(DLSyncError) -> [Netrc.Identity] {
    var found: [Netrc.Identity] = []
    while let word = try nextKeyword() {
      switch word {
      case "machine": found.append(Netrc.Identity(machine: try value(of: word)))
      case "default": found.append(Netrc.Identity(machine: nil))
      case "macdef":
        _ = try value(of: word)
        skipMacro()
      case "login", "password", "account":
        guard let last = found.indices.last else {
          throw problem("\"\(word)\" stands before any \"machine\"")
        }
        let text = try value(of: word)
        if word == "login" {
          guard !text.contains(":") else {
            throw problem("a login with a colon cannot be sent (RFC 7617)")
          }
          found[last].login = text
        }
        if word == "password" { found[last].password = text }
      default: throw problem("a word that netrc does not know")
      }
    }
    return found
  }

  // MARK: Words

  /// The next word that is no comment; nil at the end.
  private mutating func nextKeyword() throws(DLSyncError) -> String? {
    while true {
      skipBlanks()
      guard rest.first == UInt8(ascii: "#") else { break }
      rest = rest.drop { $0 != UInt8(ascii: "\n") }
    }
    return rest.isEmpty ? nil : try word()
  }

  private mutating func value(of keyword: String) throws(DLSyncError) -> String {
    let begun = line
    skipBlanks()
    guard !rest.isEmpty else {
      line = begun
      throw problem("nothing stands behind \"\(keyword)\"")
    }
    return try word()
  }

  private mutating func word() throws(DLSyncError) -> String {
    let bytes: [UInt8]
    if rest.first == UInt8(ascii: "\"") {
      bytes = try quoted()
    } else {
      let plain = rest.prefix { !Self.isBlank($0) }
      rest = rest[plain.endIndex...]
      bytes = Array(plain)
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw problem("a word that is not UTF-8")
    }
    return text
  }

  private mutating func quoted() throws(DLSyncError) -> [UInt8] {
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return bytes
      case UInt8(ascii: "\n"): throw problem("a quote that is not closed")
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { break }
        switch escaped {
        case UInt8(ascii: "n"): bytes.append(0x0a)
        case UInt8(ascii: "r"): bytes.append(0x0d)
        case UInt8(ascii: "t"): bytes.append(0x09)
        default: bytes.append(escaped)
        }
      default: bytes.append(byte)
      }
    }
    throw problem("a quote that is not closed")
  }

  // MARK: Lines

  private mutating func skipBlanks() {
    while let byte = rest.first, Self.isBlank(byte) {
      if byte == UInt8(ascii: "\n") { line += 1 }
      rest.removeFirst()
    }
  }

  /// A macro ends with an empty line, and begins behind the line of its name.
  private mutating func skipMacro() {
    skipLine()
    while !rest.isEmpty, !skipLine().allSatisfy(Self.isBlank) {}
  }

  @discardableResult
  private mutating func skipLine() -> ArraySlice<UInt8> {
    let text = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest[text.endIndex...].dropFirst()
    line += 1
    return text
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  private func problem(_ what: String) -> DLSyncError {
    DLSyncError(
      .usage, "could not understand \"\(source)\": line \(line): \(what)",
      hint: "see netrc(5), or curl's manual")
  }
}
