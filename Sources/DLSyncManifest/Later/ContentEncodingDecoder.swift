/// Reads `contentEncoding`.
struct ContentEncodingDecoder {
  private enum Choice: String, CaseIterable {
    case reject, keep
  }

  let state: DecodingState

  func decode(_ node: NodeRef) {
    guard let choice: Choice = state.choice(node) else { return }
    if choice == .keep { state.reportUnsupported(node, "`contentEncoding: keep`") }
  }
}
