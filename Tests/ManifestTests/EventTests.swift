import DLSyncTestSupport
import Testing

@testable import DLSyncManifest

/// The event stream, held against that of PyYAML's own parser over a corpus of odd documents. `scripts/yaml-events.py` wrote
/// what stands beside each.
@Suite struct EventTests {
  private static let folder = String(#filePath.dropLast("EventTests.swift".count)) + "Fixtures/yaml/"

  /// Where the two readers are known to differ, and why it does no harm.
  private static let differing: [String: String] = [
    "flow-no-value": "libyaml refuses `c:}`, which YAML 1.2 reads as a key without a value",
    "flow-url": "PyYAML refuses a `?` within a text in brackets, as YAML 1.1 did",
    "surrogate-escape": "libyaml refuses half of a surrogate pair",
    "tab-in-flow": "PyYAML refuses tabs before a token",
    "tabs-after": "PyYAML refuses tabs before a token",
  ]

  private static let names = FileBytes.names(in: folder).filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }

  @Test(arguments: names) func eventsAreThoseOfPyYAML(_ name: String) throws {
    let bytes = try #require(FileBytes.read(Self.folder + name + ".yaml"))
    let expected = try #require(FileBytes.text(Self.folder + name + ".events"))
    let actual = bytes.withUnsafeBufferPointer { Self.events(SourceText($0)) }
    if Self.differing[name] == nil {
      #expect(actual == expected)
    } else {
      #expect(actual != expected, "they do not differ any more")
    }
  }

  @Test func theCorpusIsThere() {
    #expect(Self.names.count > 70)
    #expect(Set(Self.differing.keys).isSubset(of: Self.names))
  }

  private static func events(_ source: SourceText) -> String {
    let parser = YAMLEventParser(source.bytes)
    var text = ""
    while true {
      do {
        let event = try parser.next()
        text += line(event, parser) + "\n"
        if event.kind == .streamEnd { return text }
      } catch {
        return text + "error \(error.place.line)\n"
      }
    }
  }

  private static func line(_ event: YAMLEvent, _ parser: YAMLEventParser) -> String {
    var words: [String]
    switch event.kind {
    case .streamStart: return "+STR"
    case .streamEnd: return "-STR"
    case .documentStart: return "+DOC"
    case .documentEnd: return "-DOC"
    case .mappingEnd: return "-MAP"
    case .sequenceEnd: return "-SEQ"
    case .mappingStart: words = ["+MAP"]
    case .sequenceStart: words = ["+SEQ"]
    case .scalar: words = ["=VAL", event.isPlain ? "plain" : "quoted"]
    case .alias: words = ["=ALI"]
    }
    if event.hasProperties {
      if let anchor = parser.anchor { words.append((event.kind == .alias ? "*" : "&") + anchor) }
      if let tag = parser.tag { words.append("<\(tag)>") }
    }
    words.append("\(event.start.line):\(event.start.column)")
    if event.kind == .scalar { words.append(quoted(String(decoding: parser.scalarText, as: UTF8.self))) }
    return words.joined(separator: " ")
  }

  /// As Python's `json.dumps` writes a text.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5c: result += "\\\\"
      case 0x0a: result += "\\n"
      case 0x0d: result += "\\r"
      case 0x09: result += "\\t"
      case 0x08: result += "\\b"
      case 0x0c: result += "\\f"
      case 0x20...0x7e: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }
}
