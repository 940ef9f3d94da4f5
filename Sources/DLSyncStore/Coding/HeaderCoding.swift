import DLSyncModel

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
