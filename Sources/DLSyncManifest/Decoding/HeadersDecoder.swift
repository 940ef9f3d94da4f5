import DLSyncModel

/// Reads `headers`. A value is never quoted, and neither is a name that could be a whole header line.
struct HeadersDecoder {
  /// The names that may be given, for the schema.
  static let namePattern = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"

  let state: DecodingState

  func decode(_ node: NodeRef) -> [HeaderField]? {
    guard
      let pairs = state.pairs(node, ignoringCase: true, expected: "a mapping from header names to values")
    else { return nil }
    var fields: [HeaderField] = []
    for pair in pairs {
      let name = pair.key.text
      guard HeaderText.isName(name) else {
        state.report(
          pair.key, name.isEmpty ? "a header's name is empty" : "a header's name holds a character that none may hold",
          hint: "names are letters, digits and ``!#$%&'*+-.^_`|~`` (RFC 9110)")
        continue
      }
      state.descend(.key(name)) {
        state.trace?.note(state.pathText, pair.value)
        if let value = value(pair, name) { fields.append(HeaderField(name, value)) }
      }
    }
    return fields
  }

  private func value(_ pair: Pair, _ name: String) -> String? {
    if HeaderText.reserved.contains(name.lowercased()) {
      state.report(pair.key, "the header `\(Quote.short(name))` is dlsync's own and cannot be given")
      return nil
    }
    let node = state.resolved(pair.value)
    if node.isNull {
      state.report(node, "the header `\(Quote.short(name))` has no value", hint: "write \"\" for an empty one")
      return nil
    }
    guard let text = state.text(node) else { return nil }
    guard HeaderText.isValue(text.value) else {
      state.report(
        node, "the value of the header `\(Quote.short(name))` holds a line break or another control character")
      return nil
    }
    return HeaderText.trimmed(text.value)
  }
}
