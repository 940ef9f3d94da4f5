import Glibc

/// What is on the other side of an output stream.
struct Terminal: Sendable {
  /// The answer to `--color`.
  enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }

  let descriptor: Int32
  /// Whether a person watches.
  let isTerminal: Bool
  /// Whether the terminal understands escape sequences: one that says so, and is not `dumb`.
  let canRedraw: Bool
  /// The colours that are wanted there.
  let palette: Palette
  /// Whether characters beyond ASCII can be drawn; text of others is written as it is all the same.
  let drawsUnicode: Bool

  init(descriptor: Int32, environment: [String: String], color: ColorChoice) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    let term = environment["TERM"] ?? "dumb"
    canRedraw = isTerminal && term != "dumb" && !term.isEmpty
    palette = Self.wantsColor(color, canRedraw: canRedraw, environment) ? .colored : .plain
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    drawsUnicode = locale.lowercased().contains("utf")
  }

  /// no-color.org and bixense.com/clicolors: an option beats the environment, `NO_COLOR` beats `CLICOLOR_FORCE`.
  private static func wantsColor(_ choice: ColorChoice, canRedraw: Bool, _ environment: [String: String]) -> Bool {
    func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      if isSet("NO_COLOR") { return false }
      if isSet("CLICOLOR_FORCE"), environment["CLICOLOR_FORCE"] != "0" { return true }
      return canRedraw && environment["CLICOLOR"] != "0"
    }
  }

  /// The present size, asked anew each time because people resize windows; 24 × 80 where there is none.
  var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (24, 80)
    }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// The width that lines should keep to; nil where nobody watches and nothing may be cut.
  var columns: Int? { isTerminal ? size.columns : nil }
}
