/// Named values as text, `key=value` lines: settings of queues, entries, commands, errors. A backslash protects the line's end
/// within a value.
enum LineCoding {
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

/// By bytes: a carriage return before a line's end would be one character with it.
enum Lines {
  static func split(_ text: String) -> [Substring.UTF8View] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0).utf8 }
  }

  static func halves(_ line: Substring.UTF8View, at separator: UInt8) -> (Substring, Substring)? {
    guard let middle = line.firstIndex(of: separator) else { return nil }
    return (Substring(line[..<middle]), Substring(line[line.index(after: middle)...]))
  }
}
