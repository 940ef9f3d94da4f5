/// Reads `tags`. Nothing selects by tag in this release, so they are checked and change nothing.
struct TagsDecoder {
  let state: DecodingState

  func decode(_ node: NodeRef) {
    guard let items = state.items(node, expected: "a list of texts") else { return }
    for (index, item) in items.enumerated() {
      state.descend(.index(index)) {
        guard let text = state.text(item) else { return }
        if text.value.isEmpty { state.report(item, "a tag is empty") }
      }
    }
  }
}
