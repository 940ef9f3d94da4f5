/// Reads `notify`, of a file or of the manifest.
struct NotifyDecoder {
  private struct Draft {
    var texts: [String] = []

    static let table = KeyTable<Draft>([
      .init("success") { draft, node, state in draft.add(state.text(node)) },
      .init("failure") { draft, node, state in draft.add(state.text(node)) },
    ])

    mutating func add(_ text: Text?) {
      if let text { texts.append(text.value) }
    }
  }

  let state: DecodingState

  func decode(_ node: NodeRef) {
    var draft = Draft()
    state.decode(node, Draft.table, into: &draft)
    if !draft.texts.isEmpty { state.reportUnsupported(node, "`notify`") }
  }
}
