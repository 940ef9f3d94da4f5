/// Reads `managed`.
struct ManagedDecoder {
  let state: DecodingState

  func decode(_ node: NodeRef) {
    if state.bool(node) == true { state.reportUnsupported(node, "`managed: true`") }
  }
}
