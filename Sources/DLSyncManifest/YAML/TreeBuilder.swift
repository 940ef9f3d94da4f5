/// Turns events into trees, and knows the anchors of the document so far.
final class TreeBuilder {
  private enum Anchor {
    /// Its node has begun and not ended: an alias would hold itself.
    case open
    case ready(NodeRef)
    /// The list of files itself, which is never kept whole.
    case streamed
  }

  private var parser: YAMLEventParser
  private let source: SourceText
  private let problems: ProblemList
  private var anchors: [String: Anchor] = [:]
  private var depth = 0
  private var spare: Tree?
  /// How many nodes were read so far.
  private(set) var nodeCount = 0

  init(_ source: SourceText, _ problems: ProblemList) {
    self.source = source
    self.problems = problems
    parser = YAMLEventParser(source.bytes)
  }

  /// The next event; refuses what is nested too deeply.
  func next() throws(YAMLFault) -> YAMLEvent {
    let event: YAMLEvent
    do {
      event = try parser.next()
    } catch {
      throw error.fault(in: source)
    }
    switch event.kind {
    case .mappingStart, .sequenceStart:
      depth += 1
      guard depth <= YAMLFault.greatestDepth else { throw .tooDeep(at: event.start) }
    case .mappingEnd, .sequenceEnd: depth -= 1
    default: break
    }
    return event
  }

  /// Reads the whole node that begins with `event` into a tree.
  func tree(beginningWith event: YAMLEvent) throws(YAMLFault) -> NodeRef {
    let tree = spare ?? Tree()
    spare = nil
    try append(event, to: tree)
    return NodeRef(tree: tree, index: 0)
  }

  /// Reads the entries that stand plainly below a key of the top level, as far as they go, without libyaml, which then goes on
  /// behind them. The key's line holds nothing else.
  func plainEntries(below key: NodeRef, _ body: (NodeRef) -> Void) throws(YAMLFault) {
    let line = Int(key.place.line)
    guard key.place.column == 1, let start = source.start(of: line),
      source.bytes[start...].starts(with: key.text.utf8), let first = source.start(of: line + 1),
      first == start + key.text.utf8.count + 2, source.bytes[first - 2] == UInt8(ascii: ":"),
      source.bytes[first - 1] == UInt8(ascii: "\n")
    else { return }
    var entries = PlainEntries(source.bytes, at: first, line: line + 1)
    let tree = spare ?? Tree()
    while entries.next(into: tree) {
      nodeCount += tree.nodes.count
      body(NodeRef(tree: tree, index: 0))
      tree.clear()
    }
    tree.clear()
    spare = tree
    guard entries.offset > first else { return }
    let gap = YAMLEventParser.Gap(
      bytes: first..<min(entries.offset, source.bytes.count), line: line + 1, count: entries.line - line - 1)
    do {
      parser = try YAMLEventParser(parser, without: gap)
    } catch {
      throw error.fault(in: source)
    }
  }

  /// Gives a tree back whose nodes nobody holds any longer.
  func recycle(_ tree: Tree) {
    guard !tree.hasAnchor else { return }
    tree.clear()
    spare = tree
  }

  /// Notes the anchor of a collection whose items are read one by one, and looks at its tag.
  func passOver(_ event: YAMLEvent) {
    if let name = parser.anchor { anchors[name] = .streamed }
    _ = checkTag(event)
  }

  private func append(_ event: YAMLEvent, to tree: Tree) throws(YAMLFault) {
    let index = tree.nodes.count
    nodeCount += 1
    let anchor = event.hasProperties && event.kind != .alias ? parser.anchor : nil
    let isText = event.hasProperties && checkTag(event)
    switch event.kind {
    case .scalar: appendScalar(event, isText: isText, to: tree)
    case .alias: appendAlias(event, to: tree)
    default:
      if let anchor { anchors[anchor] = .open }
      try appendCollection(event, to: tree)
    }
    if let anchor {
      anchors[anchor] = .ready(NodeRef(tree: tree, index: index))
      tree.hasAnchor = true
    }
  }

  private func appendScalar(_ event: YAMLEvent, isText: Bool, to tree: Tree) {
    let bytes = parser.scalarText
    let start = tree.text.count
    tree.text.append(contentsOf: bytes)
    tree.nodes.append(
      Tree.Node(
        kind: .scalar, isPlain: event.isPlain && !isText, place: event.start, start: Int32(truncatingIfNeeded: start),
        length: Int32(truncatingIfNeeded: bytes.count), end: Int32(truncatingIfNeeded: tree.nodes.count + 1)))
  }

  private func appendCollection(_ event: YAMLEvent, to tree: Tree) throws(YAMLFault) {
    let index = tree.nodes.count
    let isMapping = event.kind == .mappingStart
    tree.nodes.append(
      Tree.Node(
        kind: isMapping ? .mapping : .sequence, isPlain: false, place: event.start, start: 0, length: 0, end: 0))
    while true {
      let inner = try next()
      if inner.kind == .mappingEnd || inner.kind == .sequenceEnd { break }
      try append(inner, to: tree)
    }
    tree.nodes[index].end = Int32(truncatingIfNeeded: tree.nodes.count)
  }

  private func appendAlias(_ event: YAMLEvent, to tree: Tree) {
    let name = parser.anchor ?? ""
    var kind = Tree.Node.Kind.broken
    let shown = Quote.short(name)
    switch anchors[name] {
    case .ready(let target):
      kind = .alias
      tree.targets.append(target)
    case .open: problems.report(event.start, path: "", "the alias *\(shown) stands inside the node that it refers to")
    case .streamed:
      problems.report(event.start, path: "", "the alias *\(shown) refers to a part that is never kept whole")
    case nil:
      problems.report(
        event.start, path: "", "the alias *\(shown) has no anchor before it",
        hint: "mark what it refers to with &\(shown), further up")
    }
    tree.nodes.append(
      Tree.Node(
        kind: kind, isPlain: false, place: event.start, start: Int32(truncatingIfNeeded: tree.targets.count - 1),
        length: 0, end: Int32(truncatingIfNeeded: tree.nodes.count + 1)))
  }

  /// Whether the event's tag makes it text. Tags of YAML's own schema change nothing else, because the key decides how a
  /// value is read; others would have a meaning that nobody here knows.
  private func checkTag(_ event: YAMLEvent) -> Bool {
    guard let tag = parser.tag else { return false }
    if tag == "!" || tag == "tag:yaml.org,2002:str" { return true }
    let known = ["null", "bool", "int", "float", "seq", "map", "merge"]
    if !known.contains(where: { tag == "tag:yaml.org,2002:" + $0 }) {
      problems.report(
        event.start, path: "", "the tag \(Quote.text(tag)) means nothing in a manifest", hint: "remove it")
    }
    return false
  }
}
