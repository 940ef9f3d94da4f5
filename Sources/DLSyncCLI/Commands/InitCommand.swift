import DLSyncKit
import DLSyncModel

/// `dlsync init [FILE]`: a manifest to start from.
enum InitCommand {
  static let guide = CommandGuide(
    arguments: .one("FILE"), summary: "write a small commented manifest to start from", example: "dlsync init",
    explanation: [
      "Writes a small manifest with comments into FILE, or into manifest.yaml; \"-\" is standard output. A file that is"
        + " there is never overwritten."
    ])

  static func run(_ context: CommandContext) -> Int32 {
    let path = context.arguments.first ?? "manifest.yaml"
    if path == "-" {
      if context.settings.format == .json {
        document(path, context, text: text)
      } else {
        context.output.write(text)
      }
      return 0
    }
    do {
      try Workspace.create(path, text)
    } catch {
      return context.fail(error)
    }
    if context.settings.format == .json {
      document(path, context)
    } else if !context.settings.isQuiet {
      context.output.write(
        "Wrote \(TerminalText.escaped(path)). Edit it, then: dlsync plan \(TerminalText.escaped(path))\n")
    }
    return 0
  }

  /// `text` is what would have been printed to standard output, which has the document.
  private static func document(_ path: String, _ context: CommandContext, text: String? = nil) {
    context.json.object {
      context.json.field("formatVersion", 1)
      context.json.field("command", CommandWord.`init`.rawValue)
      context.json.field("manifest", path)
      if let text { context.json.field("text", text) }
    }
    context.json.endLine()
  }

  /// What a manifest says at least, and what it says most often.
  private static let text = """
    # A manifest of dlsync: which files should exist, and where they come from.
    #   dlsync check FILE   reports every error in this file
    #   dlsync plan FILE    shows what would be done
    #   dlsync apply FILE   does it
    version: 1

    # Where files go: relative to the folder of this file.
    root: downloads

    # Values for ${NAME}; --var NAME=VALUE on the command line overrides them.
    vars:
      release: "1.0"

    # Relative URLs begin here.
    baseURL: https://downloads.example.org/

    queues:
      default:
        concurrency: 4            # files at once
        # rate: 10MiB/s           # for the whole queue

    files:
      # A URL alone: its last part is the file's name.
      - readme.txt

      # With everything that a file usually needs.
      - url: tool-${release}.tar.gz
        destination: tools/tool.tar.gz
        # checksum: sha256:…      # without one, what the server sends is trusted
        # headers: { Authorization: "Bearer ${env:TOKEN}" }

    """
}
