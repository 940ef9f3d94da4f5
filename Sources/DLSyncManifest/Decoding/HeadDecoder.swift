import DLSyncModel

/// Reads the top level of a manifest. Its keys come in any order and depend on one another, so they are collected first
/// and read in the order of their meaning.
struct HeadDecoder {
  /// The values as they stand, by key.
  struct Draft {
    var values: [String: NodeRef] = [:]
  }

  /// Every key of the top level. What they hold is read by `decode`, in the order given there.
  static let table: KeyTable<Draft> = {
    func collect(
      _ name: String, _ shape: ValueShape, isRequired: Bool = false, takesNull: Bool = false
    ) -> KeyTable<Draft>.Key {
      .init(name, shape, isRequired: isRequired, takesNull: takesNull) { draft, node, _ in draft.values[name] = node }
    }
    return KeyTable([
      collect("version", .whole(version...version), isRequired: true),
      collect("name", .text(pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")),
      collect("vars", .names(.either([.text, .absent]))), collect("baseURL", .url),
      collect("root", .text, takesNull: true),
      collect("defaults", .table("defaults", FileDraft.defaultsTable)),
      collect("queues", .names(.either([.table("queue", QueueConfiguration.table), .absent]), limit: 64)),
      collect("notify", .table("notify", NotificationTexts.table)),
      collect("files", .list(.either([.url, .table("file", FileDraft.table)])), takesNull: true),
      collect("filesFrom", ListsDecoder.shape),
    ])
  }()

  /// The version of the manifest's language that this program reads.
  private static let version = 1

  let state: DecodingState

  /// Reads the keys of `pairs`, the top level of a document whose whole is `document`. `isWhole` is false while more keys
  /// may follow: nothing is missing yet then.
  func decode(_ pairs: [Pair], of document: NodeRef, isWhole: Bool) -> Head {
    var draft = Draft()
    let merged = state.merged(pairs, depth: 0)
    state.decode(merged, of: document, Self.table, into: &draft)
    var head = Head(root: state.context.folder)
    head.files = draft.values["files"]
    checkVersion(draft.values["version"])
    if isWhole { checkFiles(draft, document) }
    within("vars", draft) { VariablesDecoder(state: state).decode($0) }
    within("name", draft) { head.name = name($0) }
    if isWhole, head.name == nil, draft.values["name"] == nil { checkScope(document) }
    within("baseURL", draft) { head.baseURL = baseURL($0) }
    within("root", draft) { node in
      if let path = root(node) { head.root = path }
    }
    within("queues", draft) { QueuesDecoder(state: state).decode($0, into: &head) }
    Self.addDefaultQueue(to: &head)
    within("notify", draft) { head.notify = state.notify($0) }
    state.head = head
    within("defaults", draft) { state.decode($0, FileDraft.defaultsTable, into: &head.defaults) }
    state.head = head
    within("filesFrom", draft) { head.lists = ListsDecoder(state: state).decode($0) }
    return head
  }

  private func within(_ name: String, _ draft: Draft, _ body: (NodeRef) -> Void) {
    guard let node = draft.values[name] else { return }
    state.descend(.key(name)) { body(node) }
  }

  private static func addDefaultQueue(to head: inout Head) {
    guard head.queueNames[BytewiseText(QueueName.default.text)] == nil else { return }
    head.queues.insert(QueueDeclaration(.default, QueueConfiguration()), at: 0)
    head.queueNames[BytewiseText(QueueName.default.text)] = .default
  }
}

extension HeadDecoder {
  private func checkVersion(_ node: NodeRef?) {
    guard let node else { return }
    state.descend(.key("version")) {
      guard let text = state.text(node, expands: false) else { return }
      guard let number = NumberText.whole(text.value) else {
        state.report(node, "\(text.shown) is not the number of a version; this program reads version \(Self.version)")
        return
      }
      guard number != Self.version else { return }
      state.otherVersion = true
      state.report(
        node, "version \(number) is not one that this program reads; it reads version \(Self.version)",
        hint: number > Self.version ? "a newer dlsync may read it" : nil)
    }
  }

  private func checkFiles(_ draft: Draft, _ document: NodeRef) {
    let files = draft.values["files"]
    guard files?.isNull ?? true, draft.values["filesFrom"] == nil else { return }
    let hint = "write `files: []` where there are none"
    if let files {
      state.descend(.key("files")) { state.report(files, "a value is missing here", hint: hint) }
    } else {
      state.report(document, "the key `files` is missing", hint: hint, isCertain: false)
    }
  }

  private func checkScope(_ document: NodeRef) {
    guard state.context.isUnnamed else { return }
    state.report(
      document,
      "the key `name` is missing: a manifest from \(state.context.source == "-" ? "standard input" : "a pipe") has no path to be known by",
      hint: "add `name: …`", isCertain: false)
  }

  /// `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`.
  private func name(_ node: NodeRef) -> String? {
    guard let text = state.text(node, expands: false) else { return nil }
    let first = text.value.unicodeScalars.first
    let isName =
      Expansion.isName(text.value) && text.value.utf8.count <= 128 && first != "-" && first != "." && first != "_"
    if isName { return text.value }
    state.report(
      node, "\(text.shown) is not a name",
      hint: "a name is up to 128 letters, digits, `.`, `_` and `-`, and begins with a letter or digit")
    return nil
  }

  /// Of the spellings of null, `~` is a path here.
  private func root(_ node: NodeRef) -> String? {
    guard node.isNull else { return state.path(node) }
    guard node.text == "~" else { return nil }
    state.trace?.note(state.pathText, node)
    return state.path("~", at: node)
  }

  private func baseURL(_ node: NodeRef) -> Head.BaseURL {
    guard let text = state.text(node) else { return .wrong }
    do throws(SourceURL.Problem) {
      return .url(try SourceURL(text.value))
    } catch {
      if case .relative = error {
        state.report(node, "the URL is relative", hint: "write the whole URL")
      } else {
        state.report(error, of: text, at: node)
      }
      return .wrong
    }
  }
}
