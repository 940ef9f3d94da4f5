import DLSyncModel

/// The JSON Schema of manifests (https://json-schema.org/draft/2020-12), made from the tables that the decoder reads by.
///
/// It accepts whatever the decoder accepts, as far as a schema can tell, also what programs make of YAML that guess the type
/// of a scalar (`destination: 1.10` is a number to them). What only the whole manifest tells, such as an undeclared queue, is
/// left to `dlsync check`.
package enum ManifestSchema {
  /// The schema's text.
  package static var text: String { root.text() + "\n" }

  /// Every table there is, the manifest's own first.
  static let tables: [TableShape] = {
    var tables: [TableShape] = []
    collect(.table("manifest", HeadDecoder.table), into: &tables)
    return tables
  }()

  private static func collect(_ shape: ValueShape, into tables: inout [TableShape]) {
    switch shape {
    case .table(let table):
      guard !tables.contains(where: { $0.name == table.name }) else { return }
      tables.append(table)
      for key in table.keys { collect(key.shape, into: &tables) }
    case .list(let item, _), .names(let item, _, _): collect(item, into: &tables)
    case .either(let shapes): for shape in shapes { collect(shape, into: &tables) }
    default: break
    }
  }

  private static var root: SchemaValue {
    var members: [(String, SchemaValue)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("dlsync manifest")),
    ]
    members += object(tables[0])
    members.append(
      (
        "anyOf",
        .array([
          .object([
            ("required", .array([.string("files")])),
            ("properties", .object([("files", .object([("type", .string("array"))]))])),
          ]),
          .object([("required", .array([.string("filesFrom")]))]),
        ])
      ))
    members.append(("$defs", .object(tables.dropFirst().map { ($0.name, .object(object($0))) })))
    return .object(members)
  }

  private static func object(_ table: TableShape) -> [(String, SchemaValue)] {
    var members: [(String, SchemaValue)] = [
      ("type", .string("object")),
      ("properties", .object(table.keys.map { ($0.name, property($0, of: table)) })),
      ("additionalProperties", .boolean(false)),
    ]
    let required = table.keys.filter(\.isRequired).map { SchemaValue.string($0.name) }
    if !required.isEmpty { members.append(("required", .array(required))) }
    return members
  }

  private static func property(_ key: TableShape.Key, of table: TableShape) -> SchemaValue {
    var alternatives = schemas(key.shape)
    if !key.isRequired { alternatives.append([("type", .string("null"))]) }
    var members: [(String, SchemaValue)] = []
    if let text = KeyDescriptions.all["\(table.name).\(key.name)"] { members.append(("description", .string(text))) }
    return .object(members + merged(alternatives))
  }
}

extension ManifestSchema {
  private static let variable = SchemaValue.string("\\$\\{")
  private static let sizeUnits = "( *(kB|MB|GB|TB|KiB|MiB|GiB|TiB|K|M|G|T))?"
  private static let durationPattern = "^(?=.)([0-9]+d)? *([0-9]+h)? *([0-9]+m)? *([0-9]+s)? *([0-9]+ms)?$"

  private static let fractionPattern =
    "^(0?\\.[0-9]+|0|1|1\\.0+|([0-9]+|[0-9]*\\.[0-9]+)[eE][+-]?[0-9]+)$"

  /// The alternatives of a shape. Every value may hold variables instead.
  private static func schemas(_ shape: ValueShape) -> [[(String, SchemaValue)]] {
    switch shape {
    case .text(nil): return [[("type", types("string", "number", "boolean"))]]
    case .text(let pattern?):
      return [string(pattern), [("type", types("number", "boolean"))]]
    case .url: return [[("type", .string("string")), ("minLength", .integer(1))]]
    case .whole(let range):
      return [number("integer", Int64(range.lowerBound), Int64(range.upperBound)), digits, expanded]
    case .fraction: return [number("number", 0, 1), string(fractionPattern), expanded]
    case .boolean:
      return [[("type", .string("boolean"))], words(["true", "false", "True", "False", "TRUE", "FALSE"]), expanded]
    case .words(let words): return [Self.words(words), expanded] + guessed(words)
    case .size(let range):
      return [number("integer", range.lowerBound, range.upperBound), string("^[0-9]+\(sizeUnits)$"), expanded]
    case .rate:
      return [number("integer", 0, .max), string("^(unlimited|[0-9]+\(sizeUnits)(/s)?)$"), expanded]
    case .duration(let zero):
      return [number("integer", zero ? 0 : 1, .max), digits, string(durationPattern), expanded]
    case .list(let item, let isEmpty):
      return [
        [("type", .string("array")), ("items", .object(merged(schemas(item))))]
          + (isEmpty ? [] : [("minItems", .integer(1))])
      ]
    case .names(let value, let pattern, let limit):
      var members: [(String, SchemaValue)] = [("type", .string("object"))]
      if let pattern { members.append(("propertyNames", .object([("pattern", .string(pattern))]))) }
      if let limit { members.append(("maxProperties", .integer(Int64(limit)))) }
      return [members + [("additionalProperties", .object(merged(schemas(value))))]]
    case .table(let table): return [[("$ref", .string("#/$defs/\(table.name)"))]]
    case .either(let shapes): return shapes.flatMap(schemas)
    case .absent: return [[("type", .string("null"))]]
    }
  }

  /// Several alternatives as one schema.
  private static func merged(_ alternatives: [[(String, SchemaValue)]]) -> [(String, SchemaValue)] {
    alternatives.count == 1 ? alternatives[0] : [("anyOf", .array(alternatives.map(SchemaValue.object)))]
  }

  private static func types(_ names: String...) -> SchemaValue { .array(names.map(SchemaValue.string)) }

  private static func string(_ pattern: String) -> [(String, SchemaValue)] {
    [("type", .string("string")), ("pattern", .string(pattern))]
  }

  private static func words(_ words: [String]) -> [(String, SchemaValue)] {
    [("enum", .array(words.map(SchemaValue.string)))]
  }

  /// Words that look like numbers: `minVersion: 1.2`.
  private static func guessed(_ words: [String]) -> [[(String, SchemaValue)]] {
    words.contains { Double($0) != nil } ? [[("type", .string("number"))]] : []
  }

  private static func number(_ type: String, _ lower: Int64, _ upper: Int64) -> [(String, SchemaValue)] {
    let members: [(String, SchemaValue)] = [("type", .string(type)), ("minimum", .integer(lower))]
    return upper == .max ? members : members + [("maximum", .integer(upper))]
  }

  private static let digits = string("^[0-9]+$")
  private static let expanded: [(String, SchemaValue)] = [("type", .string("string")), ("pattern", variable)]
}
