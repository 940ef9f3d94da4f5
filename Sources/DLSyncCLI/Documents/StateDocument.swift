import DLSyncKit
import DLSyncModel

/// What `state` says in JSON; docs/output.md describes every field.
enum StateDocument {
  static func write(_ report: StateReport, to json: JSONWriter) {
    write("check", to: json) {
      json.field("database", report.database)
      json.field("exists", report.isThere)
      json.field("taskCount", report.taskCount)
      json.field("findings", report.findings) { finding in
        json.object {
          json.field("severity", finding.severity.rawValue)
          json.field("path", finding.path)
          json.field("message", finding.message)
          json.field("hint", finding.hint)
        }
      }
      json.field("exitStatus", report.exitStatus)
    }
  }

  static func write(_ result: StateRebuildResult, to json: JSONWriter) {
    write("rebuild", to: json) {
      json.field("setAside", result.setAside)
      json.field("manifests", result.manifests) { rebuild in
        json.object {
          json.field("manifest", rebuild.manifest)
          json.field("files", rebuild.files) { file in
            json.object {
              json.field("id", file.entry.id)
              json.field("destination", file.entry.destination.path)
              json.field("finding", file.finding.rawValue)
              json.field("sha256", file.fingerprint?.hex)
            }
          }
          json.field("summary") {
            for finding in StateRebuild.Finding.allCases { json.field(finding.rawValue, rebuild.count(finding)) }
          }
        }
      }
      json.field("forgotten", result.forgotten.map(\.text))
      json.field("exitStatus", 0)
    }
  }

  static func write(path: String, to json: JSONWriter) {
    write("path", to: json) { json.field("path", path) }
  }

  private static func write(_ action: String, to json: JSONWriter, _ body: () -> Void) {
    json.object {
      json.field("formatVersion", 1)
      json.field("command", CommandWord.state.rawValue)
      json.field("action", action)
      body()
    }
    json.endLine()
  }
}
