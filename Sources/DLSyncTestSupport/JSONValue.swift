/// A JSON document (RFC 8259) as a test reads it. Strict: anything that is no JSON throws.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// Members in the order in which they were written.
  case object([Member])

  /// One member of an object.
  package struct Member: Sendable, Equatable {
    package let name: String
    package let value: JSONValue
  }

  /// Reads a whole document.
  package init(_ text: String) throws {
    var parser = JSONParser(text)
    self = try parser.document()
  }

  /// The value of a member; `null` where there is none. `has` tells the two apart.
  package subscript(name: String) -> JSONValue {
    guard case .object(let members) = self else { return .null }
    return members.first { $0.name == name }?.value ?? .null
  }

  /// An element; `null` beyond the end.
  package subscript(index: Int) -> JSONValue {
    let elements = array ?? []
    return elements.indices.contains(index) ? elements[index] : .null
  }

  /// Whether an object has a member, be its value `null`.
  package func has(_ name: String) -> Bool { names.contains(name) }

  /// The members' names in their order; none for anything but an object.
  package var names: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.name)
  }

  package var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var number: Double? { if case .number(let value) = self { value } else { nil } }
  /// A number without a fraction.
  package var integer: Int? { number.flatMap(Int.init(exactly:)) }
  package var isNull: Bool { self == .null }
}

/// A recursive-descent reader of UTF-8 bytes.
private struct JSONParser {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func document() throws -> JSONValue {
    let value = try value()
    skipSpace()
    guard index == bytes.count else { throw failure("more than one document") }
    return value
  }

  private mutating func value() throws -> JSONValue {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object() throws -> JSONValue {
    index += 1
    var members: [JSONValue.Member] = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw failure("a member without a name") }
      let name = try string()
      guard take(":") else { throw failure("no colon behind a name") }
      if members.contains(where: { $0.name == name }) { throw failure("the member '\(name)' twice") }
      members.append(.init(name: name, value: try value()))
    } while take(",")
    guard take("}") else { throw failure("an object without end") }
    return .object(members)
  }

  private mutating func array() throws -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    if take("]") { return .array([]) }
    repeat { elements.append(try value()) } while take(",")
    guard take("]") else { throw failure("an array without end") }
    return .array(elements)
  }

  private mutating func string() throws -> String {
    index += 1
    var text: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure("a raw control character in a string") }
      index += 1
      if byte == UInt8(ascii: "\\") {
        text += try escape()
      } else {
        text.append(byte)
      }
    }
    guard peek != nil else { throw failure("a string without end") }
    index += 1
    guard let string = String(validating: text, as: UTF8.self) else { throw failure("a string that is not UTF-8") }
    return string
  }

  private mutating func escape() throws -> [UInt8] {
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): 34, UInt8(ascii: "\\"): 92, UInt8(ascii: "/"): 47, UInt8(ascii: "b"): 8,
      UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]
    guard let letter = peek else { throw failure("a string without end") }
    index += 1
    if let byte = plain[letter] { return [byte] }
    guard letter == UInt8(ascii: "u") else { throw failure("an unknown escape") }
    var units = [try unit()]
    if UTF16.isLeadSurrogate(units[0]), peek == UInt8(ascii: "\\") {
      index += 2
      units.append(try unit())
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw failure("half a surrogate pair") }
    return Array(text.utf8)
  }

  private mutating func unit() throws -> UInt16 {
    guard index + 4 <= bytes.count,
      let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    else { throw failure("an escape without four digits") }
    index += 4
    return unit
  }

  private mutating func number() throws -> JSONValue {
    let start = index
    while let byte = peek, "+-.eE0123456789".utf8.contains(byte) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    let digits = text.drop { $0 == "-" }
    // What `Double` takes and JSON does not.
    let isPlain = !text.hasPrefix("+") && !text.hasSuffix(".") && !digits.hasPrefix(".") && !text.contains(".e")
    let hasLeadingZero = digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true
    guard isPlain, !hasLeadingZero, let number = Double(text) else { throw failure("no value") }
    return .number(number)
  }

  private mutating func word(_ text: String, _ value: JSONValue) throws -> JSONValue {
    guard bytes[index...].starts(with: text.utf8) else { throw failure("no value") }
    index += text.utf8.count
    return value
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, [9, 10, 13, 32].contains(byte) { index += 1 }
  }

  private func failure(_ what: String) -> SupportError {
    let around = String(decoding: bytes[max(0, index - 30)..<min(bytes.count, index + 30)], as: UTF8.self)
    return SupportError("no JSON at byte \(index): \(what), near \(around.debugDescription)")
  }
}
