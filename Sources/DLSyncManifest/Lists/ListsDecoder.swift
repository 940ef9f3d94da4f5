/// Reads `filesFrom`: external lists with defaults for their files.
struct ListsDecoder {
  private struct Draft {
    var path: String?
    var pathNode: NodeRef?
    var format: RecordFormat?
    var hasFormat = false
    var file = FileDraft()

    /// The list's own keys, and those that may be a default.
    static let table: KeyTable<Draft> = {
      let own: [KeyTable<Draft>.Key] = [
        .init("path", .text, isRequired: true) { draft, node, state in
          draft.path = state.path(node)
          draft.pathNode = node
        },
        .init("format", .words(of: RecordFormat.self)) { draft, node, state in
          draft.format = state.choice(node)
          draft.hasFormat = true
        },
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

  /// The lists whose declaration is right; what is wrong with the others is reported.
  func decode(_ node: NodeRef) -> [ListDeclaration] {
    guard let items = state.items(node, expected: "a list of lists") else { return [] }
    return items.enumerated().compactMap { index, item in
      state.descend(.index(index)) { declaration(item, index) }
    }
  }

  private func declaration(_ item: NodeRef, _ index: Int) -> ListDeclaration? {
    var draft = Draft()
    state.decode(item, Draft.table, into: &draft)
    guard let path = draft.path, let node = draft.pathNode else { return nil }
    var format = draft.format
    if !draft.hasFormat {
      format = RecordFormat(path: path)
      if format == nil {
        state.descend(.key("path")) {
          state.report(
            node, "the name of the list does not tell its format",
            hint: "add `format`: \(Quote.choice(RecordFormat.allCases.map(\.rawValue)))")
        }
      }
    }
    guard let format else { return nil }
    return ListDeclaration(index: index, path: path, format: format, defaults: draft.file, place: node.place)
  }
}
