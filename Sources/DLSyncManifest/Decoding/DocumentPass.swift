import DLSyncModel

/// One reading of the document from its first byte to its last. The keys of the top level are kept; the entries of `files`
/// are decoded as they come and dropped, so that memory is spent on results alone.
struct DocumentPass {
  /// Keys that change nothing for an entry, and may therefore follow `files` without a second pass.
  private static let independentKeys: Set<String> = ["version", "notify", "filesFrom"]

  private let context: ManifestContext
  private let builder: TreeBuilder
  /// Errors of anchors, tags and documents.
  let structure: ProblemList
  /// Decodes entries; its errors are those of entries alone.
  private(set) var state: DecodingState
  private(set) var pairs: [Pair] = []
  private(set) var document: NodeRef?
  /// The entries that were decoded.
  private var packer = EntryPacker()
  /// The lists that were read, and where their files begin.
  private(set) var lists: [ListExtent] = []
  /// Whether a key that entries depend on came after them.
  private(set) var isOutOfOrder = false
  private var streamed: NodeRef?
  /// Whether entries may be read without libyaml.
  private var isBlock = false
  private var known: Head?
  private let trace: Trace?

  /// `known` is the top level where an earlier pass has read it.
  init(
    _ source: SourceText, _ context: ManifestContext, known: Head? = nil, variables: VariableTable? = nil, trace: Trace?
  ) {
    self.context = context
    self.trace = trace
    self.known = known
    structure = ProblemList()
    builder = TreeBuilder(source, structure)
    state = DecodingState(context, ProblemList(), trace)
    if let variables { state.variables = variables }
    state.head = known
  }

  /// Reads the document.
  mutating func run() throws(YAMLFault) {
    _ = try builder.next()
    var event = try builder.next()
    guard event.kind == .documentStart else { throw Self.empty(at: event.start) }
    event = try builder.next()
    guard event.kind == .mappingStart else { throw try notAMapping(event) }
    if event.hasProperties { builder.passOver(event) }
    document = Self.placeholder(.mapping, event.start)
    isBlock = event.isBlockMapping && context.readsPlainEntries
    try readTopLevel()
    _ = try builder.next()
    event = try builder.next()
    if event.kind != .streamEnd {
      structure.report(event.start, path: "", "a second document begins here; a manifest is one", hint: "remove it")
    }
  }

  /// The files, once all of them were read.
  mutating func takeFiles() -> [FileEntry] { packer.finish() }

  /// Reads `files` where they are part of a tree: behind an alias or a merge key.
  mutating func readFiles(of head: Head) {
    guard let list = head.files, list.tree !== streamed?.tree, !list.isNull else { return }
    state.descend(.key("files")) {
      guard let items = state.items(list, expected: "a list of files") else { return }
      let decoder = decoder(head)
      for (index, item) in items.enumerated() { decode(item, index, decoder) }
    }
  }

  /// Reads the lists of `filesFrom`, and answers what is wrong within them. One that cannot be read is an error of the
  /// manifest, at the place that names it.
  mutating func readLists(of head: Head) -> [Diagnostic] {
    guard !head.lists.isEmpty, let open = context.openList else { return [] }
    state.head = head
    var diagnostics: [Diagnostic] = []
    let scope = Scope(head.name ?? context.canonicalPath)
    for list in head.lists {
      lists.append(ListExtent(path: list.path, firstFile: packer.count))
      state.descend(.key("filesFrom")) {
        state.descend(.index(list.index)) {
          var pass = ListPass(list, state, head, scope: scope)
          do throws(DLSyncError) {
            diagnostics += try pass.run(open, into: &packer)
          } catch {
            state.descend(.key("path")) {
              state.problems.report(list.place, path: state.pathText, error.message, hint: error.hint)
            }
          }
        }
      }
    }
    return diagnostics
  }

  private mutating func readTopLevel() throws(YAMLFault) {
    while true {
      let event = try builder.next()
      if event.kind == .mappingEnd { return }
      let key = try builder.tree(beginningWith: event)
      let isText = key.kind == .scalar
      let isFiles = isText && streamed == nil && key.text == "files"
      let count = isFiles && isBlock ? try readPlainFiles(below: key) : 0
      let value = try builder.next()
      if isFiles, value.kind == .sequenceStart {
        if value.hasProperties { builder.passOver(value) }
        try streamFiles(key, at: value.start, from: count)
      } else if count > 0 {
        // Nothing is left of the list.
        streamed = Self.placeholder(.sequence, key.place)
        pairs.append(Pair(key: key, value: streamed!))
      } else {
        if streamed != nil, !isText || !Self.independentKeys.contains(key.text) { isOutOfOrder = true }
        pairs.append(Pair(key: key, value: try builder.tree(beginningWith: value)))
      }
    }
  }

  /// The entries that stand plainly below the key; how many.
  private mutating func readPlainFiles(below key: NodeRef) throws(YAMLFault) -> Int {
    var decoder: FileDecoder?
    var count = 0
    try builder.plainEntries(below: key) { item in
      if decoder == nil { decoder = self.decoder(known ?? headSoFar()) }
      state.aliases.written = builder.nodeCount
      state.descend(.key("files")) { decode(item, count, decoder!) }
      count += 1
    }
    return count
  }

  private mutating func streamFiles(_ key: NodeRef, at place: TextPosition, from first: Int) throws(YAMLFault) {
    let list = Self.placeholder(.sequence, place)
    streamed = list
    pairs.append(Pair(key: key, value: list))
    let decoder = decoder(known ?? headSoFar())
    var index = first
    while true {
      let event = try builder.next()
      if event.kind == .sequenceEnd { return }
      let item = try builder.tree(beginningWith: event)
      state.aliases.written = builder.nodeCount
      state.descend(.key("files")) { decode(item, index, decoder) }
      builder.recycle(item.tree)
      index += 1
    }
  }

  private mutating func decode(_ item: NodeRef, _ index: Int, _ decoder: FileDecoder) {
    guard !state.aliases.isExhausted.isSet else { return }
    state.descend(.index(index)) { decoder.decode(item, into: &packer) }
  }

  private func decoder(_ head: Head) -> FileDecoder {
    state.head = head
    return FileDecoder(state: state, head: head, scope: Scope(head.name ?? context.canonicalPath))
  }

  /// The top level as far as it was read. Its errors come later, when the whole is known.
  private func headSoFar() -> Head {
    let early = DecodingState(context, ProblemList(), trace)
    let head = HeadDecoder(state: early).decode(pairs, of: document ?? AliasBudget.nothing, isWhole: false)
    state.variables = early.variables
    return head
  }
}

extension DocumentPass {
  private static func placeholder(_ kind: Tree.Node.Kind, _ place: TextPosition) -> NodeRef {
    let tree = Tree()
    tree.nodes.append(Tree.Node(kind: kind, isPlain: false, place: place, start: 0, length: 0, end: 1))
    return NodeRef(tree: tree, index: 0)
  }

  static func empty(at place: TextPosition) -> YAMLFault {
    YAMLFault(place, "the manifest is empty", hint: "it begins with `version: 1`")
  }

  private func notAMapping(_ event: YAMLEvent) throws(YAMLFault) -> YAMLFault {
    let node = try builder.tree(beginningWith: event)
    guard !node.isNull else { return Self.empty(at: event.start) }
    let kind = node.kind == .sequence ? "a list" : "a text"
    return YAMLFault(
      event.start, "a manifest is a mapping of keys such as `version` and `files`, not \(kind)",
      hint: "it begins with `version: 1`")
  }
}
