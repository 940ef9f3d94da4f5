/// A strict reader of XML 1.0 for small documents from anywhere: elements with namespaces, texts, comments passed over.
/// A document type is refused, and with it every entity but the five that XML itself has, so that a text cannot grow while
/// it is read and names nothing outside itself.
struct XMLReader {
  /// An element's name with the namespace that its prefix stands for.
  struct Name: Equatable {
    let namespace: String
    let local: String
  }

  enum Event: Equatable {
    /// Attributes by their local names, those with a prefix left out.
    case start(Name, [String: String])
    /// A piece of text; several may follow one another.
    case text(String)
    case end
    case finish
  }

  struct Problem: Error, Equatable {
    let line: Int
    let message: String
  }

  private static let greatestDepth = 64

  private let bytes: [UInt8]
  private var index = 0
  private var counted = 0
  /// The line of what was read last, counted from 1.
  private(set) var line = 1
  private var open: [(name: String, bindings: [String: String])] = []
  private var endsEmptyElement = false
  private var hasRoot = false

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func next() throws(Problem) -> Event {
    if endsEmptyElement {
      endsEmptyElement = false
      open.removeLast()
      return .end
    }
    while index < bytes.count {
      countLines()
      guard bytes[index] == UInt8(ascii: "<") else {
        if let text = try text() { return .text(text) }
        continue
      }
      if starts("<!--") {
        try pass("-->", "a comment")
      } else if starts("<?") {
        try declaration()
      } else if starts("<![CDATA[") {
        return .text(try section())
      } else if starts("<!") {
        throw problem("a document type is not read: it could name other files and make a short text long")
      } else if starts("</") {
        return try endTag()
      } else {
        return try startTag()
      }
    }
    guard hasRoot, open.isEmpty else { throw problem(hasRoot ? "an element is not closed" : "there is no element") }
    return .finish
  }
}

extension XMLReader {
  private func problem(_ message: String) -> Problem { Problem(line: line, message: message) }

  private func starts(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  private mutating func countLines() {
    while counted < index {
      if bytes[counted] == 0x0a { line += 1 }
      counted += 1
    }
  }

  /// Passes over everything up to the end of a mark.
  private mutating func pass(_ mark: String, _ what: String) throws(Problem) {
    let mark = Array(mark.utf8)
    while index < bytes.count {
      if bytes[index...].starts(with: mark) {
        index += mark.count
        return
      }
      index += 1
    }
    throw problem("\(what) is not closed")
  }

  /// `<?xml …?>` or another instruction. Only UTF-8 is read.
  private mutating func declaration() throws(Problem) {
    let start = index
    try pass("?>", "an instruction")
    let text = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
    guard text.hasPrefix("<?xml "), let place = text.firstRange(of: "encoding") else { return }
    let value = text[place.upperBound...].drop { " =\"'\t".contains($0) }.prefix { !"\"'?".contains($0) }
    guard ["utf-8", "utf8", "us-ascii"].contains(String(value)) else {
      throw problem("the encoding \(Quote.text(String(value))) is not read: save the text as UTF-8")
    }
  }

  private mutating func section() throws(Problem) -> String {
    guard !open.isEmpty else { throw problem("text stands outside the outermost element") }
    let start = index + 9
    try pass("]]>", "a CDATA section")
    return String(decoding: bytes[start..<(index - 3)], as: UTF8.self)
  }

  /// The text up to the next tag; nil for white space outside the outermost element.
  private mutating func text() throws(Problem) -> String? {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
    let text = try expanded(bytes[start..<index])
    guard open.isEmpty else { return text }
    guard text.allSatisfy(\.isWhitespace) else { throw problem("text stands outside the outermost element") }
    return nil
  }

  // MARK: Tags

  private mutating func endTag() throws(Problem) -> Event {
    index += 2
    let name = try readName()
    passBlanks()
    guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else { throw problem("an end tag is not closed") }
    index += 1
    guard open.last?.name == name else {
      throw problem("`</\(Quote.short(name))>` closes no element that is open here")
    }
    open.removeLast()
    return .end
  }

  private mutating func startTag() throws(Problem) -> Event {
    guard !(open.isEmpty && hasRoot) else { throw problem("a second outermost element begins here") }
    guard open.count < Self.greatestDepth else { throw problem("elements are nested too deeply") }
    hasRoot = true
    index += 1
    let name = try readName()
    var plain: [String: String] = [:]
    var bindings = open.last?.bindings ?? [:]
    var seen: Set<String> = []
    while true {
      let hadBlank = passBlanks()
      guard index < bytes.count else { throw problem("a tag is not closed") }
      if bytes[index] == UInt8(ascii: ">") {
        index += 1
        break
      }
      if starts("/>") {
        index += 2
        endsEmptyElement = true
        break
      }
      guard hadBlank else { throw problem("a blank is missing before an attribute") }
      let (key, value) = try attribute()
      guard seen.insert(key).inserted else { throw problem("the attribute `\(Quote.short(key))` was given before") }
      if key == "xmlns" {
        bindings[""] = value
      } else if key.hasPrefix("xmlns:") {
        bindings[String(key.dropFirst(6))] = value
      } else if !key.contains(":") {
        plain[key] = value
      }
    }
    open.append((name, bindings))
    return .start(try resolved(name, bindings), plain)
  }

  private func resolved(_ name: String, _ bindings: [String: String]) throws(Problem) -> Name {
    guard let colon = name.firstIndex(of: ":") else { return Name(namespace: bindings[""] ?? "", local: name) }
    guard let namespace = bindings[String(name[..<colon])] else {
      throw problem("the prefix of `\(Quote.short(name))` stands for nothing")
    }
    return Name(namespace: namespace, local: String(name[name.index(after: colon)...]))
  }

  private mutating func attribute() throws(Problem) -> (String, String) {
    let key = try readName()
    passBlanks()
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
      throw problem("the attribute `\(Quote.short(key))` has no value")
    }
    index += 1
    passBlanks()
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
      throw problem("the value of `\(Quote.short(key))` is not in quotes")
    }
    let quote = bytes[index]
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != quote {
      if bytes[index] == UInt8(ascii: "<") { throw problem("a `<` stands in a value") }
      index += 1
    }
    guard index < bytes.count else { throw problem("the value of `\(Quote.short(key))` is not closed") }
    defer { index += 1 }
    return (key, try expanded(bytes[start..<index]))
  }

  private mutating func readName() throws(Problem) -> String {
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
        index += 1
      default:
        guard index > start else { throw problem("a name is missing here") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
      }
    }
    throw problem("a tag is not closed")
  }

  @discardableResult
  private mutating func passBlanks() -> Bool {
    let start = index
    while index < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) { index += 1 }
    return index > start
  }

  private func expanded(_ bytes: ArraySlice<UInt8>) throws(Problem) -> String {
    do throws(XMLReference.Unknown) { return try XMLReference.expanded(bytes) } catch {
      throw problem(
        error.name.map { "the entity `&\(Quote.short($0));` is not known" }
          ?? "a `&` begins no reference: write `&amp;`")
    }
  }
}
