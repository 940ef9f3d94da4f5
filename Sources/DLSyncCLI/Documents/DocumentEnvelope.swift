import DLSyncModel

/// The frame around the documents of a command that takes several manifests: none around one, an object with the sums
/// around more. Documents are written as they come.
struct DocumentEnvelope {
  private let context: CommandContext
  private let isNeeded: Bool

  /// Opens the frame, where the format and the number of manifests want one.
  init(_ context: CommandContext, count: Int) {
    self.context = context
    isNeeded = context.settings.format == .json && count > 1
    guard isNeeded else { return }
    context.output.write("{")
    context.json.field("formatVersion", 1)
    context.json.field("command", context.command.rawValue)
    context.json.key("manifests")
    context.output.write("[")
  }

  /// One manifest's document. Nothing where the format is not JSON.
  func add(_ document: (JSONWriter) -> Void) {
    guard context.settings.format == .json else { return }
    document(context.json)
    if !isNeeded { context.json.endLine() }
  }

  /// Closes the frame with what all documents come to.
  func close(exitStatus: Int32, summary: (JSONWriter) -> Void) {
    guard isNeeded else { return }
    let json = context.json
    context.output.write("]")
    json.field("summary") { summary(json) }
    json.field("exitStatus", exitStatus)
    context.output.write("}")
    json.endLine()
  }
}
