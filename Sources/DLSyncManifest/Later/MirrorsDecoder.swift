/// Reads `mirrors`: a list of URLs.
struct MirrorsDecoder {
  let state: DecodingState

  func decode(_ node: NodeRef) {
    guard let items = state.items(node, expected: "a list of URLs") else { return }
    var isRight = true
    for (index, item) in items.enumerated() {
      state.descend(.index(index)) { isRight = state.url(item) != nil && isRight }
    }
    if isRight { state.reportUnsupported(node, "a list of `mirrors`") }
  }
}
