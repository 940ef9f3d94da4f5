/// Reads `modified`.
struct ModifiedDecoder {
  private enum Choice: String, CaseIterable {
    case now, server
  }

  let state: DecodingState

  func decode(_ node: NodeRef) {
    guard let choice: Choice = state.choice(node) else { return }
    if choice == .server { state.reportUnsupported(node, "`modified: server`") }
  }
}
