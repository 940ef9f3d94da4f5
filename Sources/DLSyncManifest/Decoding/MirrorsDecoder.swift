import DLSyncModel

/// Reads `mirrors`: a list of URLs, each of which counts once.
struct MirrorsDecoder {
  let state: DecodingState

  func decode(_ node: NodeRef) -> [SourceURL]? {
    guard let items = state.items(node, expected: "a list of URLs") else { return nil }
    var mirrors: [SourceURL] = []
    for (index, item) in items.enumerated() {
      state.descend(.index(index)) {
        if let url = state.url(item), !mirrors.contains(url) { mirrors.append(url) }
      }
    }
    return mirrors
  }
}
