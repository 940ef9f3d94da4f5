private import CYAML

/// The owner of one libyaml parser: the only place that speaks to the library.
final class YAMLEventParser {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>
  private var holdsEvent = false

  /// Begins to read UTF-8 text, not empty, which must outlive the parser.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    event = .allocate(capacity: 1)
    event.initialize(to: yaml_event_t())
    precondition(yaml_parser_initialize(parser) == 1, "out of memory")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    dropEvent()
    yaml_parser_delete(parser)
    parser.deallocate()
    event.deallocate()
  }

  /// The next step.
  func next() throws(YAMLSyntaxError) -> YAMLEvent {
    dropEvent()
    guard yaml_parser_parse(parser, event) == 1 else { throw syntaxError() }
    holdsEvent = true
    let start = Self.position(event.pointee.start_mark)
    switch event.pointee.type {
    case YAML_SCALAR_EVENT: return scalar(at: start)
    case YAML_MAPPING_START_EVENT:
      return collection(
        .mappingStart, start, event.pointee.data.mapping_start.anchor, event.pointee.data.mapping_start.tag)
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
  var end: TextPosition { Self.position(event.pointee.end_mark) }

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
      place: Self.position(state.problem_mark), context: state.context.map { String(cString: $0) },
      contextPlace: Self.position(state.context_mark))
  }

  private static func position(_ mark: yaml_mark_t) -> TextPosition {
    TextPosition(Int(clamping: mark.line) + 1, Int(clamping: mark.column) + 1)
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
