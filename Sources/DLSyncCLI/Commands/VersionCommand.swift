import DLSyncKit
import DLSyncModel

/// `dlsync version`.
enum VersionCommand {
  static let guide = CommandGuide(
    summary: "print the version", example: "dlsync version --verbose",
    explanation: ["Prints the version; with --verbose also those of the libraries that dlsync runs with."])

  static func run(_ context: CommandContext) -> Int32 {
    let isVerbose = context.settings.isVerbose
    guard context.settings.format == .json else {
      context.output.write("dlsync \(ProductVersion.text)\n")
      if isVerbose {
        for library in LibraryVersions.all { context.output.write("\(library.name) \(library.version)\n") }
      }
      return 0
    }
    context.json.object {
      context.json.field("formatVersion", 1)
      context.json.field("command", CommandWord.version.rawValue)
      context.json.field("version", ProductVersion.text)
      if isVerbose {
        context.json.field("libraries") {
          for library in LibraryVersions.all { context.json.field(library.name, library.version) }
        }
      }
    }
    context.json.endLine()
    return 0
  }
}
