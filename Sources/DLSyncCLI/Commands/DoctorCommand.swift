import DLSyncKit
import DLSyncModel

/// `dlsync doctor`: what this machine gives, for manifests or in general.
enum DoctorCommand {
  static let guide = CommandGuide(
    arguments: .any("MANIFEST"), summary: "show what this machine offers", example: "dlsync doctor manifest.yaml",
    explanation: [
      "Tries what runs rely on: the state, locks that hold, renames that replace nothing and room beside the destinations"
        + " of the manifests, certificates, the clock. What it makes for that is gone afterwards. Fetches nothing.",
      "Exit status: 0 runs can work here, 1 something will make them fail, 2 usage or manifest.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    await LoadedManifests.use(context) { manifests, workspace, context in
      let diagnosis = await workspace.diagnose(manifests)
      show(diagnosis, context)
      return diagnosis.exitStatus
    }
  }

  private static func show(_ diagnosis: Diagnosis, _ context: CommandContext) {
    if context.settings.format == .json {
      write(diagnosis, to: context.json)
    } else {
      for item in diagnosis.items where !context.settings.isQuiet || item.verdict == .trouble {
        context.people.write(text(item, context.peopleTerminal.palette))
      }
    }
  }

  /// `ok  locks  /srv: locks hold`, and what to do where something is not as it should be.
  private static func text(_ item: Diagnosis.Item, _ palette: Palette) -> String {
    let word =
      switch item.verdict {
      case .good: palette.green("ok  ")
      case .notice: palette.yellow("note")
      case .trouble: palette.red("FAIL")
      }
    let place = item.path.map { item.message.contains($0) ? "" : $0 + ": " } ?? ""
    let message = TerminalText.escaped(place + item.message)
    let hint = item.hint.map { "      \(TerminalText.escaped($0))\n" } ?? ""
    return "\(word)  \(Fitting.padded(item.subject, columns: 12))  \(message)\n\(hint)"
  }

  private static func write(_ diagnosis: Diagnosis, to json: JSONWriter) {
    json.object {
      json.field("formatVersion", 1)
      json.field("command", CommandWord.doctor.rawValue)
      json.field("items", diagnosis.items) { item in
        json.object {
          json.field("subject", item.subject)
          json.field("verdict", item.verdict.rawValue)
          json.field("path", item.path)
          json.field("message", item.message)
          json.field("hint", item.hint)
        }
      }
      json.field("exitStatus", diagnosis.exitStatus)
    }
    json.endLine()
  }
}
