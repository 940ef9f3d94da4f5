import DLSyncModel

/// A queue's settings as text: `key=value` lines. A backslash protects the line's end within a value.
enum SettingsCoding {
  static func encode(_ pairs: some Sequence<(key: String, value: String)>) -> String {
    var text = ""
    for (key, value) in pairs { text += "\(key)=\(escaped(value))\n" }
    return text
  }

  static func decode(_ text: String) -> [(key: String, value: String)] {
    Lines.split(text).compactMap { line in
      Lines.halves(line, at: UInt8(ascii: "=")).map { (key: String($0), value: unescaped($1)) }
    }
  }

  private static func escaped(_ value: String) -> String {
    var text = String.UnicodeScalarView()
    for character in value.unicodeScalars {
      switch character {
      case "\\": text.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": text.append(contentsOf: "\\n".unicodeScalars)
      default: text.append(character)
      }
    }
    return String(text)
  }

  private static func unescaped(_ value: Substring) -> String {
    var text = String.UnicodeScalarView()
    var isEscape = false
    for character in value.unicodeScalars {
      if !isEscape, character == "\\" {
        isEscape = true
      } else {
        text.append(isEscape && character == "n" ? "\n" : character)
        isEscape = false
      }
    }
    return String(text)
  }
}

/// Response fields as text: `name: value` lines. No field holds a line's end (RFC 9110, section 5.5).
enum HeaderCoding {
  static func encode(_ fields: [HeaderField]) -> String { String(decoding: bytes(fields), as: UTF8.self) }

  /// The text's UTF-8.
  static func bytes(_ fields: [HeaderField]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 })
    for field in fields {
      text += field.name.utf8
      text.append(UInt8(ascii: ":"))
      text.append(UInt8(ascii: " "))
      text += field.value.utf8
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }

  static func decode(_ text: String) -> [HeaderField] {
    Lines.split(text).compactMap { line in
      Lines.halves(line, at: UInt8(ascii: ":")).map { HeaderField(String($0), String($1.dropFirst())) }
    }
  }
}

// By bytes: a carriage return before a line's end would be one character with it.
private enum Lines {
  static func split(_ text: String) -> [Substring.UTF8View] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0).utf8 }
  }

  static func halves(_ line: Substring.UTF8View, at separator: UInt8) -> (Substring, Substring)? {
    guard let middle = line.firstIndex(of: separator) else { return nil }
    return (Substring(line[..<middle]), Substring(line[line.index(after: middle)...]))
  }
}

/// `Redaction.storable`, spared where a glance shows that there is nothing to take away.
enum StorableURL {
  static func text(of url: String) -> String {
    let mayHold = url.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
    return mayHold ? Redaction.storable(url) : url
  }
}
