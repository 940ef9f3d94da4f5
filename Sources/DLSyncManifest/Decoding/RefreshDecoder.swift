import DLSyncModel

/// Reads `refresh`: `never`, `always` or a duration.
struct RefreshDecoder {
  static let shape = ValueShape.either([.words(["never", "always"]), .duration(zero: false)])

  let state: DecodingState

  func decode(_ node: NodeRef) -> RefreshPolicy? {
    guard let text = state.text(node) else { return nil }
    switch text.value {
    case "never": return .never
    case "always": return .always
    default: break
    }
    if let duration = DurationText.parse(text.value), duration > .zero { return .after(duration) }
    state.report(
      node, "\(text.shown) is not `never`, `always` or a duration", hint: "a duration is \(DurationText.form)")
    return nil
  }
}
