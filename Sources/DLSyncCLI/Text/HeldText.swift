import DLSyncModel

/// Files that are held back by request: their lines in a report, and how they are released.
struct HeldText {
  let palette: Palette

  /// Why a file is held back at the end of a run; nil where it is not.
  static func reason(_ file: FilePlan, _ outcome: FileOutcome?) -> PlanReason? {
    switch outcome?.state {
    case nil: file.isHeld ? file.reason : nil
    case .suspended: .suspended
    case .canceled: .canceled
    default: nil
    }
  }

  /// `- big.iso  canceled`.
  func line(_ file: FilePlan, _ reason: PlanReason) -> String {
    "\(palette.dim("-")) \(TerminalText.escaped(file.entry.destination.relativePath))  \(palette.dim(reason.rawValue))\n"
  }

  /// One line for each way to release what is held for these reasons; empty where nothing is.
  func hints(_ reasons: Set<PlanReason>) -> String {
    var text = ""
    for (reason, command) in [(PlanReason.suspended, "resume"), (.canceled, "restart")] where reasons.contains(reason) {
      text += "    \(palette.cyan("hint:")) `dlsync \(command) DESTINATION` releases what is \(reason.rawValue)\n"
    }
    return text
  }
}
