import DLSyncModel

/// Finds what may not be shown of some lines. It reads the document once more, because what is secret follows from where
/// it stands: the values of headers, proxies, and keys that are named like credentials; user information and credential
/// parameters within any text.
struct SecretScan {
  private struct Level {
    let isMapping: Bool
    /// Everything within is secret.
    let isSecret: Bool
    /// The keys within are names of headers.
    let isHeaders: Bool
    var isAtKey: Bool
    var key = ""
  }

  private let source: SourceText
  private let lines: Set<Int>
  private let last: Int
  private var levels: [Level] = []
  private var masks = LineMasks()

  init(source: SourceText, lines: Set<Int>) {
    self.source = source
    self.lines = lines
    last = lines.max() ?? 0
  }

  /// The masks of the lines.
  func run() -> LineMasks {
    guard !lines.isEmpty, !source.bytes.isEmpty else { return masks }
    var scan = self
    scan.read()
    return scan.masks
  }

  private mutating func read() {
    let parser = YAMLEventParser(source.bytes)
    var reached = 1
    while let event = try? parser.next() {
      guard event.kind != .streamEnd, Int(event.start.line) <= last else { return }
      reached = max(reached, Int(parser.end.line))
      // Nobody else read deeper than this, and libyaml takes the square of the depth.
      guard levels.count <= YAMLFault.greatestDepth else { break }
      step(event, parser)
    }
    masks.uncertainFrom = reached
    masks.isUncertainSecret = levels.contains { $0.isSecret || $0.isHeaders || isSecretValue($0) }
  }

  private mutating func step(_ event: YAMLEvent, _ parser: YAMLEventParser) {
    switch event.kind {
    case .mappingStart, .sequenceStart: open(isMapping: event.kind == .mappingStart)
    case .mappingEnd, .sequenceEnd:
      _ = levels.popLast()
      finishNode()
    case .scalar: scalar(event, parser)
    case .alias: finishNode()
    default: break
    }
  }

  private mutating func open(isMapping: Bool) {
    let isSecret =
      levels.last.map { level in
        let isAtSecretKey = level.isMapping && !level.isAtKey && SecretText.isSecret(key: level.key)
        return level.isSecret || level.isHeaders || isAtSecretKey
      } ?? false
    let isHeaders = levels.last.map { $0.isMapping && !$0.isAtKey && SecretText.isHeaders(key: $0.key) } ?? false
    // Below `headers` the names may be shown and the values not; a list there is secret as a whole.
    levels.append(
      Level(
        isMapping: isMapping, isSecret: isSecret || (isHeaders && !isMapping), isHeaders: isHeaders && isMapping,
        isAtKey: isMapping))
  }

  private mutating func scalar(_ event: YAMLEvent, _ parser: YAMLEventParser) {
    let level = levels.last
    let isKey = level?.isAtKey ?? false
    let end = parser.end
    guard isKey || concerns(event.start, end) else { return finishNode() }
    let text = String(decoding: parser.scalarText, as: UTF8.self)
    let isSecret: Bool
    if isKey {
      isSecret = level?.isSecret ?? false || (level?.isHeaders ?? false && !HeaderText.isName(text))
    } else {
      isSecret = level.map { $0.isSecret || $0.isHeaders || isSecretValue($0) } ?? false
    }
    if isSecret {
      masks.add(event.start, end, within: lines, replacement: nil, text: text)
    } else {
      let shown = SecretText.redacted(text)
      if shown != text { masks.add(event.start, end, within: lines, replacement: shown, text: text) }
    }
    if isKey, !levels.isEmpty { levels[levels.count - 1].key = text }
    finishNode()
  }

  /// Whether a text stands on a line that will be shown.
  private func concerns(_ start: TextPosition, _ end: TextPosition) -> Bool {
    if start.line == end.line { return lines.contains(Int(start.line)) }
    return lines.contains { Int(start.line) <= $0 && $0 <= Int(end.line) }
  }

  private func isSecretValue(_ level: Level) -> Bool {
    guard level.isMapping, !level.isAtKey else { return false }
    return SecretText.isSecret(key: level.key) || SecretText.isHeaders(key: level.key)
  }

  /// After a key comes its value, after a value the next key.
  private mutating func finishNode() {
    guard let level = levels.last, level.isMapping else { return }
    levels[levels.count - 1].isAtKey.toggle()
  }
}
