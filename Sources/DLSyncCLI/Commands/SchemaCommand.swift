import DLSyncKit

/// `dlsync schema`: what a manifest looks like, for editors and other programs.
enum SchemaCommand {
  static let guide = CommandGuide(
    summary: "print the JSON Schema of the manifest", example: "dlsync schema > dlsync.schema.json",
    explanation: [
      "Prints a JSON Schema (2020-12) of the manifest, made from the tables that manifests are read by. Editors check and"
        + " complete with it: the YAML language server takes it from the first line"
        + " \"# yaml-language-server: $schema=dlsync.schema.json\".",
      "What only the whole manifest tells, such as a queue that is not declared, is left to \"dlsync check\".",
    ])

  static func run(_ context: CommandContext) -> Int32 {
    context.output.write(Workspace.manifestSchema)
    return 0
  }
}
