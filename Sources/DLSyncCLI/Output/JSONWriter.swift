/// Writes one JSON text (RFC 8259) as it goes, so that a report of a million files needs no memory for its document.
///
/// Commas are its own business. The text is strict UTF-8, because Swift's strings are; what would steer a terminal is
/// escaped, since a document may be looked at on one.
final class JSONWriter {
  private let channel: OutputChannel
  private var needsComma = false

  init(_ channel: OutputChannel) { self.channel = channel }

  /// An object whose members the body writes.
  func object<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    open(UInt8(ascii: "{"))
    try body()
    close(UInt8(ascii: "}"))
  }

  /// An array whose elements the body writes.
  func array<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    open(UInt8(ascii: "["))
    try body()
    close(UInt8(ascii: "]"))
  }

  /// The name of the next member.
  func key(_ name: String) {
    quote(name, isName: true)
  }

  /// A member with its value.
  func field(_ name: String, _ value: some JSONValue) {
    key(name)
    value.write(to: self)
  }

  /// A member that is an object.
  func field(_ name: String, object body: () -> Void) {
    key(name)
    object(body)
  }

  /// A member that is an array of what the body makes of each element.
  func field<Element>(_ name: String, _ elements: some Sequence<Element>, _ body: (Element) -> Void) {
    key(name)
    array { for element in elements { body(element) } }
  }

  /// The value that stands for "unknown".
  func null() { raw("null") }

  func string(_ text: String) {
    quote(text, isName: false)
  }

  func integer(_ number: some BinaryInteger) { raw(String(number)) }

  func boolean(_ value: Bool) { raw(value ? "true" : "false") }

  /// The shortest digits that read back as the same number; JSON has no infinity and no NaN, they are unknown.
  func number(_ number: Double) {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
      integer(whole)
    } else {
      raw(number.isFinite ? number.description : "null")
    }
  }

  /// Ends the line: the document, or the event, is complete.
  func endLine() {
    channel.write(UInt8(ascii: "\n"))
    needsComma = false
  }

  private func raw(_ text: String) {
    let comma = needsComma
    channel.append { buffer in
      if comma { buffer.append(UInt8(ascii: ",")) }
      buffer.append(contentsOf: text.utf8)
    }
    needsComma = true
  }

  private func open(_ bracket: UInt8) {
    let comma = needsComma
    channel.append { buffer in
      if comma { buffer.append(UInt8(ascii: ",")) }
      buffer.append(bracket)
    }
    needsComma = false
  }

  private func close(_ bracket: UInt8) {
    channel.write(bracket)
    needsComma = true
  }

  /// A comma where one is due, the text in quotes, and a colon where it is a name.
  private func quote(_ text: String, isName: Bool) {
    let comma = needsComma
    channel.append { buffer in
      if comma { buffer.append(UInt8(ascii: ",")) }
      buffer.append(UInt8(ascii: "\""))
      Self.escape(text, into: &buffer)
      buffer.append(UInt8(ascii: "\""))
      if isName { buffer.append(UInt8(ascii: ":")) }
    }
    needsComma = !isName
  }

  private static func escape(_ text: String, into buffer: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      var index = 0
      while index < bytes.count {
        let length = steeringLength(bytes, at: index)
        if length > 0 {
          buffer.append(contentsOf: bytes[start..<index])
          buffer.append(contentsOf: escape(bytes[index..<index + length]).utf8)
          start = index + length
        }
        index += max(1, length)
      }
      buffer.append(contentsOf: bytes[start...])
    }
  }

  /// How many bytes the character has that begins here and is escaped; 0 for one that stands for itself.
  @inline(__always)
  private static func steeringLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    if byte < 0x80 { return byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f ? 1 : 0 }
    // What steers a terminal begins with one of these; most text beyond ASCII does not.
    guard byte == 0xc2 || byte == 0xd8 || byte == 0xe2 || byte == 0xef else { return 0 }
    let length = byte < 0xe0 ? 2 : 3
    return TerminalText.isDangerous(scalar(bytes[index..<index + length])) ? length : 0
  }

  private static func scalar(_ character: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar {
    String(decoding: character, as: UTF8.self).unicodeScalars.first ?? " "
  }

  private static func escape(_ character: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let value = scalar(character).value
    switch value {
    case 0x22: return "\\\""
    case 0x5c: return "\\\\"
    case 0x0a: return "\\n"
    case 0x0d: return "\\r"
    case 0x09: return "\\t"
    default:
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
