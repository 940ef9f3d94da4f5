/// References within texts and values of XML 1.0: the five entities of section 4.6, and characters by their numbers.
enum XMLReference {
  /// A reference to something else; without a name where a `&` begins none.
  struct Unknown: Error {
    let name: String?
  }

  /// The text with its references replaced.
  static func expanded(_ bytes: ArraySlice<UInt8>) throws(Unknown) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var rest = bytes
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += String(decoding: rest[rest.startIndex..<mark], as: UTF8.self)
      guard let end = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw Unknown(name: nil) }
      let name = String(decoding: rest[(mark + 1)..<end], as: UTF8.self)
      guard let scalar = scalar(name) else { throw Unknown(name: name) }
      result.unicodeScalars.append(scalar)
      rest = rest[(end + 1)...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      // A sign is none of the digits of a reference.
      guard let first = digits.first, first != "+", first != "-" else { return nil }
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
      return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
  }
}
