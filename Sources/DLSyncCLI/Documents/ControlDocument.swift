import DLSyncKit
import DLSyncModel

/// What became of a command, task by task, in JSON; docs/output.md describes every field.
struct ControlDocument {
  let command: CommandWord
  let results: [CommandResult]

  func write(to json: JSONWriter, exitStatus: Int32) {
    json.object {
      json.field("formatVersion", 1)
      json.field("command", command.rawValue)
      json.field("results", results) { result in
        json.object {
          json.field("id", result.id)
          json.field("name", result.name)
          json.field("error", result.error)
        }
      }
      json.field("exitStatus", exitStatus)
    }
    json.endLine()
  }
}
