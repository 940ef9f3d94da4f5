/// One step through a YAML document. The text of a scalar, the name of an anchor and a tag stay with the parser until its
/// next step.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd, documentStart, documentEnd
    case scalar, alias, sequenceStart, sequenceEnd, mappingStart, mappingEnd
  }

  let kind: Kind
  /// Where it begins, counted from 1.
  let start: TextPosition
  /// A scalar without quotes, which may therefore mean "nothing".
  let isPlain: Bool
  /// Whether it has an anchor, a tag, or (for an alias) a name to ask the parser for.
  let hasProperties: Bool
  /// A mapping in block style.
  var isBlockMapping = false
}

/// A line and a column, both counted from 1, the column in Unicode scalars.
struct TextPosition: Hashable, Comparable {
  var line: Int32
  var column: Int32

  init(_ line: Int, _ column: Int) {
    self.line = Int32(clamping: line)
    self.column = Int32(clamping: column)
  }

  static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
