import DLSyncModel

/// JSON as the schema needs it, members in their order.
indirect enum SchemaValue: Sendable {
  case string(String)
  case integer(Int64)
  case boolean(Bool)
  case array([SchemaValue])
  case object([(String, SchemaValue)])

  /// The text, indented by two blanks a level.
  func text(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .string(let text): return Self.quoted(text)
    case .integer(let number): return "\(number)"
    case .boolean(let value): return value ? "true" : "false"
    case .array(let items):
      let isShort = items.allSatisfy(\.isScalar)
      if isShort { return "[" + items.map { $0.text() }.joined(separator: ", ") + "]" }
      return "[\n" + items.map { inner + $0.text(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map { "\(inner)\(Self.quoted($0.0)): \($0.1.text(indent: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  /// RFC 8259, section 7.
  private static func quoted(_ text: String) -> String {
    let inner = text.escaped { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20: YAMLText.numbered(scalar)
      default: nil
      }
    }
    return "\"\(inner)\""
  }
}
