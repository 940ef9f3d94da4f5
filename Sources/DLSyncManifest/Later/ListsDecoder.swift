/// Reads `filesFrom`: external lists with defaults for their files.
struct ListsDecoder {
  private enum Format: String, CaseIterable {
    case urls, ndjson, csv, tsv, aria2, sums
  }

  private struct Draft {
    var path: String?
    var file = FileDraft()

    /// The list's own keys, and those that may be a default.
    static let table: KeyTable<Draft> = {
      let own: [KeyTable<Draft>.Key] = [
        .init("path", .text, isRequired: true) { draft, node, state in draft.path = state.path(node) },
        .init("format", .words(of: Format.self)) { _, node, state in let _: Format? = state.choice(node) },
      ]
      let inherited = FileDraft.defaultsTable.keys.map { key in
        KeyTable<Draft>.Key(key.name, key.shape, takesNull: key.takesNull) { draft, node, state in
          key.decode(&draft.file, node, state)
        }
      }
      return KeyTable(own + inherited, refused: FileDraft.defaultsTable.refused)
    }()
  }

  static let shape = ValueShape.list(.table("list", Draft.table))

  let state: DecodingState

  func decode(_ node: NodeRef) {
    guard let items = state.items(node, expected: "a list of lists") else { return }
    var isRight = true
    for (index, item) in items.enumerated() {
      state.descend(.index(index)) {
        var draft = Draft()
        state.decode(item, Draft.table, into: &draft)
        isRight = draft.path != nil && isRight
      }
    }
    if isRight, !items.isEmpty { state.reportUnsupported(node, "`filesFrom`") }
  }
}
