// This folder holds what the language knows and this release does not do: each value is checked in full and then refused
// at its place, so that nothing is silently ignored.
extension DecodingState {
  /// Refuses something that is right and not supported yet.
  func reportUnsupported(_ node: NodeRef, _ what: String) {
    report(node, "\(what) is not supported yet", hint: "this version of dlsync does not do it; remove it")
  }
}
