import DLSyncModel

/// The lines of a plan with their columns: sign, destination, size, reason.
struct PlanTable {
  private let palette: Palette
  private let nameWidth: Int
  private let sizeWidth: Int
  private let isCut: Bool
  /// A longer name breaks its own line's columns rather than push everybody's to the right.
  private static let widestName = 56

  init(_ plan: Plan, _ groups: [PlanText.Group], palette: Palette, columns: Int?) {
    self.palette = palette
    var widest = 0
    var widestSize = 0
    var widestReason = 0
    for file in plan.files where groups.contains(PlanText.Group(file)) {
      let width = CharacterWidth.of(Self.name(file))
      if width <= Self.widestName || columns != nil { widest = max(widest, width) }
      widestReason = max(widestReason, file.reasonText.utf8.count)
      if let bytes = Self.bytes(file) { widestSize = max(widestSize, bytes.description.utf8.count) }
    }
    let limit = columns.map { max(8, $0 - 7 - widestSize - widestReason) }
    nameWidth = min(widest, limit ?? widest)
    sizeWidth = widestSize
    isCut = limit != nil
  }

  func line(_ file: FilePlan, _ group: PlanText.Group) -> String {
    let name = isCut ? Fitting.middle(Self.name(file), columns: nameWidth) : Self.name(file)
    var line = sign(group) + " " + Fitting.padded(name, columns: nameWidth) + "  "
    if sizeWidth > 0 { line += Fitting.rightAligned(Self.bytes(file)?.description ?? "", columns: sizeWidth) + "  " }
    line += palette.dim(file.reasonText) + "\n"
    return line + (file.error.map { ErrorText.below($0, palette) } ?? "")
  }

  private func sign(_ group: PlanText.Group) -> String {
    switch group {
    case .download: palette.green("+")
    case .change: palette.yellow("~")
    case .held: palette.dim("-")
    case .conflict: palette.red("!")
    case .reuse: palette.dim("=")
    }
  }

  private static func name(_ file: FilePlan) -> String {
    TerminalText.escaped(file.entry.destination.relativePath)
  }

  private static func bytes(_ file: FilePlan) -> ByteCount? { file.action == .download ? file.bytes : nil }
}
