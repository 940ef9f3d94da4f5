/// The few colours of the output (ECMA-48, SGR), or none of them.
struct Palette: Hashable, Sendable {
  /// Whether escape sequences are written at all.
  let isColored: Bool

  static let plain = Palette(isColored: false)
  static let colored = Palette(isColored: true)

  func bold(_ text: String) -> String { paint(text, "1") }
  func dim(_ text: String) -> String { paint(text, "2") }
  /// Hardly to be seen, on dark and on light grounds: what is still missing of a bar.
  func faint(_ text: String) -> String { paint(text, "2;90") }
  func red(_ text: String) -> String { paint(text, "31") }
  func green(_ text: String) -> String { paint(text, "32") }
  func yellow(_ text: String) -> String { paint(text, "33") }
  func cyan(_ text: String) -> String { paint(text, "36") }

  private func paint(_ text: String, _ code: String) -> String {
    guard isColored, !text.isEmpty else { return text }
    var painted = "\u{1b}["
    painted.reserveCapacity(text.utf8.count + 12)
    painted += code
    painted += "m"
    painted += text
    painted += "\u{1b}[0m"
    return painted
  }
}
