import DLSyncKit
import DLSyncModel

/// A line of the log as people read it.
struct LogText {
  private let palette: Palette

  init(_ context: CommandContext) { palette = context.outputTerminal.palette }

  /// `2026-01-31 08:00:30  completed  /srv/data/a.bin (12.4 MiB)`.
  func line(_ line: LogLine) -> String {
    palette.dim(MomentText.text(line.at)) + "  " + paint(line.kind)(Fitting.padded(word(line.kind), columns: 9)) + "  "
      + TerminalText.escaped(subject(line)) + "\n"
  }

  private func word(_ kind: LogLine.Kind) -> String {
    switch kind {
    case .runBegun: "begun"
    case .runFinished: "finished"
    default: kind.rawValue
    }
  }

  private func paint(_ kind: LogLine.Kind) -> (String) -> String {
    switch kind {
    case .completed: palette.green
    case .failed: palette.red
    case .canceled, .removed: palette.yellow
    case .runBegun, .runFinished: palette.bold
    }
  }

  private func subject(_ line: LogLine) -> String {
    switch line.kind {
    case .runBegun: return line.scope.text
    case .runFinished: return "\(line.scope.text): \(sum(line))"
    default:
      let size = line.bytes.map { " (\($0))" } ?? ""
      let reason = line.error.map { ": \($0.code): \($0.message)" } ?? ""
      return (line.destination ?? "") + size + reason
    }
  }

  private static func noun(_ word: String, _ number: String) -> String {
    switch word {
    case "handedOver": "handed over"
    case "conflicts" where number == "1": "conflict"
    default: word
    }
  }

  /// `3 downloaded (12.4 MiB), 1 failed in 1.5 s, exit status 1`.
  private func sum(_ line: LogLine) -> String {
    let facts = Dictionary(line.facts) { first, _ in first }
    var parts: [String] = []
    for word in ["downloaded", "reused", "conflicts", "failed", "held", "handedOver", "pruned"] {
      guard let number = facts[word], number != "0" || word == "downloaded" || word == "failed" else { continue }
      let size = word == "downloaded" ? line.bytes.map { " (\($0))" } ?? "" : ""
      parts.append("\(number) \(Self.noun(word, number))\(size)")
    }
    let seconds = facts["seconds"].flatMap { Double($0) }.map { " in \(Wording.duration($0))" } ?? ""
    let error = line.error.map { "; \($0.code): \($0.message)" } ?? ""
    return parts.joined(separator: ", ") + seconds + ", exit status \(line.exitStatus ?? 0)" + error
  }
}
