import DLSyncModel

/// What a prune did, a line a file.
struct PrunedText {
  let palette: Palette
  let isVerbose: Bool

  /// `  /srv/old.bin  deleted`; nil where nothing changed on disk and no more is wanted.
  func line(_ file: PrunedFile) -> String? {
    let fate: String
    switch file.end {
    case .deleted: fate = "deleted"
    case .kept where isVerbose: fate = "forgotten; the file stays"
    case .absent where isVerbose: fate = "forgotten; no file was there"
    default: return nil
    }
    return "  \(TerminalText.escaped(file.destination))  \(palette.dim(fate))\n"
  }
}
