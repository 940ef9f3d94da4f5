import DLSyncModel

/// Reads a checksum that comes `from` a published list.
struct ListedChecksumDecoder {
  let state: DecodingState

  /// `list` is the value of `from`, `name` that of `name`; nil where something is wrong, which is reported then.
  func decode(_ list: NodeRef, algorithm: DigestAlgorithm?, name: NodeRef?) -> ListedChecksum? {
    let place = state.descend(.key("from")) { self.place(list) }
    guard let name else { return place.map { ListedChecksum(place: $0, algorithm: algorithm, name: nil) } }
    let text = state.descend(.key("name")) { () -> String? in
      guard let text = state.text(name) else { return nil }
      if text.value.isEmpty { state.report(name, "the name in the list is empty") }
      return text.value.isEmpty ? nil : text.value
    }
    guard let place, let text else { return nil }
    return ListedChecksum(place: place, algorithm: algorithm, name: text)
  }

  /// A URL, whole or relative to `baseURL`; where there is no `baseURL`, and behind `./` and `~/`, a path relative to the
  /// manifest's folder.
  private func place(_ node: NodeRef) -> ListedChecksum.Place? {
    guard let text = state.text(node) else { return nil }
    if text.value.isEmpty {
      state.report(node, "the place of the list is empty")
      return nil
    }
    if PathText.remoteScheme(text.value) == nil {
      let isPath = text.value.beginsBytewise(with: "./") || text.value.beginsBytewise(with: "~/")
      switch state.head?.baseURL {
      case .url where !isPath: break
      case .wrong where !isPath: return nil
      default: return state.path(text.value, at: node).map { .file($0) }
      }
    }
    return state.url(node).map { .url($0) }
  }
}

/// What `checksum` says: digests, and lists where further ones stand.
struct Checksums: Equatable {
  var digests: [Digest] = []
  var listed: [ListedChecksum] = []

  /// Adds what is not there yet.
  mutating func add(_ other: Checksums) {
    for digest in other.digests where !digests.contains(digest) { digests.append(digest) }
    for checksum in other.listed where !listed.contains(checksum) { listed.append(checksum) }
  }
}
