/// Reads `refresh`: `never`, `always` or a duration.
struct RefreshDecoder {
  static let shape = ValueShape.either([.words(["never", "always"]), .duration(zero: false)])

  let state: DecodingState

  func decode(_ node: NodeRef) {
    guard let text = state.text(node), text.value != "never" else { return }
    if text.value == "always" {
      state.reportUnsupported(node, "`refresh: always`")
    } else if let duration = DurationText.parse(text.value), duration > .zero {
      state.reportUnsupported(node, "`refresh` after a time")
    } else {
      state.report(
        node, "\(text.shown) is not `never`, `always` or a duration", hint: "a duration is \(DurationText.form)")
    }
  }
}
