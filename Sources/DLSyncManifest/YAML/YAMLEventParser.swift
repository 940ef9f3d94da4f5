private import CYAML

/// The owner of one libyaml parser: the only place that speaks to the library.
final class YAMLEventParser {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>
  private var holdsEvent = false
  private let text: UnsafeBufferPointer<UInt8>
  /// What is left out of the text, and the lines of it.
  private let gap: Gap?
  private let rest: UnsafeMutablePointer<Rest>
  /// How many steps were taken.
  private(set) var stepCount = 0

  /// Whole lines that somebody else has read.
  struct Gap {
    let bytes: Range<Int>
    /// The number of the first of them, counted from 1, and how many they are.
    let line: Int
    let count: Int
  }

  /// What libyaml has not asked for yet.
  private struct Rest {
    var parts: (UnsafeRawBufferPointer, UnsafeRawBufferPointer)

    /// Copies the next bytes; how many.
    mutating func take(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      if parts.0.isEmpty { parts = (parts.1, UnsafeRawBufferPointer(start: nil, count: 0)) }
      let count = min(buffer.count, parts.0.count)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: parts.0[..<count]))
      parts.0 = UnsafeRawBufferPointer(rebasing: parts.0[count...])
      return count
    }
  }

  /// Begins to read UTF-8 text, not empty, which must outlive the parser.
  convenience init(_ text: UnsafeBufferPointer<UInt8>) { self.init(text, gap: nil) }

  /// The same text without some of its lines, at the same step. Places are still those of the whole.
  convenience init(_ other: YAMLEventParser, without gap: Gap) throws(YAMLSyntaxError) {
    self.init(other.text, gap: gap)
    while stepCount < other.stepCount { _ = try next() }
  }

  private init(_ text: UnsafeBufferPointer<UInt8>, gap: Gap?) {
    self.text = text
    self.gap = gap
    let raw = UnsafeRawBufferPointer(text)
    let cut = gap?.bytes ?? raw.count..<raw.count
    rest = .allocate(capacity: 1)
    rest.initialize(
      to: Rest(
        parts: (
          UnsafeRawBufferPointer(rebasing: raw[..<cut.lowerBound]),
          UnsafeRawBufferPointer(rebasing: raw[cut.upperBound...])
        )))
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    event = .allocate(capacity: 1)
    event.initialize(to: yaml_event_t())
    precondition(yaml_parser_initialize(parser) == 1, "out of memory")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    if gap == nil {
      yaml_parser_set_input_string(parser, text.baseAddress, text.count)
      return
    }
    yaml_parser_set_input(
      parser,
      { data, buffer, size, count in
        guard let rest = data?.assumingMemoryBound(to: Rest.self), let buffer, let count else { return 0 }
        count.pointee = rest.pointee.take(UnsafeMutableRawBufferPointer(start: buffer, count: size))
        return 1
      }, rest)
  }

  deinit {
    dropEvent()
    yaml_parser_delete(parser)
    parser.deallocate()
    event.deallocate()
    rest.deallocate()
  }

  /// The next step.
  func next() throws(YAMLSyntaxError) -> YAMLEvent {
    dropEvent()
    guard yaml_parser_parse(parser, event) == 1 else { throw syntaxError() }
    holdsEvent = true
    stepCount += 1
    let start = position(event.pointee.start_mark)
    switch event.pointee.type {
    case YAML_SCALAR_EVENT: return scalar(at: start)
    case YAML_MAPPING_START_EVENT:
      var mapping = collection(
        .mappingStart, start, event.pointee.data.mapping_start.anchor, event.pointee.data.mapping_start.tag)
      mapping.isBlockMapping = event.pointee.data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE
      return mapping
    case YAML_SEQUENCE_START_EVENT:
      return collection(
        .sequenceStart, start, event.pointee.data.sequence_start.anchor, event.pointee.data.sequence_start.tag)
    case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, start: start, isPlain: false, hasProperties: true)
    case YAML_MAPPING_END_EVENT: return simple(.mappingEnd, start)
    case YAML_SEQUENCE_END_EVENT: return simple(.sequenceEnd, start)
    case YAML_DOCUMENT_START_EVENT: return simple(.documentStart, start)
    case YAML_DOCUMENT_END_EVENT: return simple(.documentEnd, start)
    case YAML_STREAM_START_EVENT: return simple(.streamStart, start)
    default: return simple(.streamEnd, start)
    }
  }

  private func scalar(at start: TextPosition) -> YAMLEvent {
    let hasProperties = event.pointee.data.scalar.anchor != nil || event.pointee.data.scalar.tag != nil
    let isPlain = event.pointee.data.scalar.style == YAML_PLAIN_SCALAR_STYLE
    return YAMLEvent(kind: .scalar, start: start, isPlain: isPlain, hasProperties: hasProperties)
  }

  private func collection(
    _ kind: YAMLEvent.Kind, _ start: TextPosition, _ anchor: UnsafeMutablePointer<yaml_char_t>?,
    _ tag: UnsafeMutablePointer<yaml_char_t>?
  ) -> YAMLEvent {
    YAMLEvent(kind: kind, start: start, isPlain: false, hasProperties: anchor != nil || tag != nil)
  }

  private func simple(_ kind: YAMLEvent.Kind, _ start: TextPosition) -> YAMLEvent {
    YAMLEvent(kind: kind, start: start, isPlain: false, hasProperties: false)
  }
}

// What the last step holds.
extension YAMLEventParser {
  /// The text of a scalar, valid until the next step.
  var scalarText: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: event.pointee.data.scalar.value, count: event.pointee.data.scalar.length)
  }

  /// Where the event ends.
  var end: TextPosition { position(event.pointee.end_mark) }

  /// The name of the anchor, or of what an alias refers to.
  var anchor: String? {
    switch event.pointee.type {
    case YAML_SCALAR_EVENT: Self.text(event.pointee.data.scalar.anchor)
    case YAML_SEQUENCE_START_EVENT: Self.text(event.pointee.data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT: Self.text(event.pointee.data.mapping_start.anchor)
    case YAML_ALIAS_EVENT: Self.text(event.pointee.data.alias.anchor)
    default: nil
    }
  }

  /// The tag with its handle resolved: `tag:yaml.org,2002:str`, `!local`.
  var tag: String? {
    switch event.pointee.type {
    case YAML_SCALAR_EVENT: Self.text(event.pointee.data.scalar.tag)
    case YAML_SEQUENCE_START_EVENT: Self.text(event.pointee.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT: Self.text(event.pointee.data.mapping_start.tag)
    default: nil
    }
  }

  private func dropEvent() {
    guard holdsEvent else { return }
    yaml_event_delete(event)
    holdsEvent = false
  }

  private func syntaxError() -> YAMLSyntaxError {
    let state = parser.pointee
    return YAMLSyntaxError(
      problem: state.problem.map { String(cString: $0) } ?? "memory is short",
      place: position(state.problem_mark), context: state.context.map { String(cString: $0) },
      contextPlace: position(state.context_mark))
  }

  private func position(_ mark: yaml_mark_t) -> TextPosition {
    var line = Int(clamping: mark.line) + 1
    if let gap, line >= gap.line { line += gap.count }
    return TextPosition(line, Int(clamping: mark.column) + 1)
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
