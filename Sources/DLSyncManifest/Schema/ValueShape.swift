import DLSyncModel

/// What a key's value looks like: enough to write a schema from, and no more. How it is read is the decoder's.
indirect enum ValueShape: Sendable {
  /// A text; readers of YAML that guess types give numbers and booleans for some, which are texts here.
  case text(pattern: String? = nil)
  /// A URL, whole or relative.
  case url
  case whole(ClosedRange<Int>)
  case fraction
  case boolean
  /// One of these words.
  case words([String])
  case size(ClosedRange<Int64>)
  case rate
  case duration(zero: Bool)
  case list(ValueShape, isEmpty: Bool = true)
  /// A mapping with free names.
  case names(ValueShape, pattern: String? = nil, limit: Int? = nil)
  /// A mapping with the keys of a table.
  case table(TableShape)
  case either([ValueShape])
  /// Nothing is written: null.
  case absent

  static let text = ValueShape.text()

  /// One of the words of a type.
  static func words<Word: RawRepresentable & CaseIterable>(of type: Word.Type) -> ValueShape
  where Word.RawValue == String {
    .words(Word.allCases.map(\.rawValue))
  }

  /// A table, by its name in the schema.
  static func table<Target>(_ name: String, _ table: KeyTable<Target>) -> ValueShape { .table(TableShape(name, table)) }
}

/// A table of keys without its decoders.
struct TableShape: Sendable {
  struct Key: Sendable {
    let name: String
    let shape: ValueShape
    let isRequired: Bool
  }

  /// Of the definition in the schema, and the first word of its keys' descriptions.
  let name: String
  let keys: [Key]

  init<Target>(_ name: String, _ table: KeyTable<Target>) {
    self.name = name
    keys = table.keys.map { Key(name: $0.name, shape: $0.shape, isRequired: $0.isRequired) }
  }
}
