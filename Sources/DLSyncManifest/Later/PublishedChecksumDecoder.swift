/// Reads a checksum that comes `from` a published list.
struct PublishedChecksumDecoder {
  let state: DecodingState

  /// `list` is the value of `from`, `name` that of `name`.
  func decode(_ list: NodeRef, name: NodeRef?) {
    var isRight = true
    state.descend(.key("from")) {
      guard let text = state.text(list) else { return isRight = false }
      if text.value.isEmpty {
        state.report(list, "the place of the list is empty")
        isRight = false
      } else if PathText.remoteScheme(text.value) != nil {
        isRight = state.url(list) != nil
      }
    }
    if let name {
      state.descend(.key("name")) {
        guard let text = state.text(name) else { return isRight = false }
        if text.value.isEmpty {
          state.report(name, "the name in the list is empty")
          isRight = false
        }
      }
    }
    if isRight { state.reportUnsupported(list, "a checksum `from` a list") }
  }
}
