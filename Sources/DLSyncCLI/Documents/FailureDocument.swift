import DLSyncModel

/// What a program gets where nothing could be planned.
struct FailureDocument {
  let command: CommandWord?
  var manifest: String?
  let error: DLSyncError
  var diagnostics: [Diagnostic] = []
  /// Where it is not the one of the error's code.
  var exitStatus: Int32?

  func write(to json: JSONWriter, _ format: Settings.Format) {
    write(to: json, event: format == .ndjson)
    json.endLine()
  }

  func write(to json: JSONWriter, event: Bool = false) {
    json.object {
      if event { json.field("event", "report") }
      json.field("formatVersion", 1)
      json.field("command", command?.rawValue)
      json.field("manifest", manifest)
      json.field("error", error)
      if !diagnostics.isEmpty { json.field("diagnostics", diagnostics) { Self.write($0, to: json) } }
      json.field("exitStatus", exitStatus ?? error.code.exitStatus)
    }
  }

  static func write(_ diagnostic: Diagnostic, to json: JSONWriter) {
    json.object {
      json.field("file", diagnostic.location.file)
      json.field("line", diagnostic.location.line)
      json.field("column", diagnostic.location.column)
      json.field("path", diagnostic.path)
      json.field("message", diagnostic.message)
      json.field("hint", diagnostic.hint)
    }
  }
}
