import DLSyncModel

/// A plan in JSON; docs/output.md describes every field.
struct PlanDocument {
  let plan: Plan
  let command: CommandWord

  /// Without the braces around it, so that an event can begin with its name.
  func writeMembers(to json: JSONWriter) {
    Self.writeHead(of: plan, command, to: json)
    json.field("files", plan.files) { file in
      json.object {
        Self.writeHead(of: file, to: json)
        json.field("bytes", file.bytes)
        json.field("error", file.error)
      }
    }
    Self.writeOrphans(of: plan, to: json)
    json.field("warnings", plan.warnings)
    json.field("summary") {
      json.field("total", plan.summary.total)
      json.field("download", plan.summary.download)
      json.field("reuse", plan.summary.reuse)
      json.field("conflict", plan.summary.conflict)
      json.field("held", plan.summary.held)
      json.field("downloadBytes", plan.summary.downloadBytes)
    }
  }

  func write(to json: JSONWriter) {
    json.object { writeMembers(to: json) }
  }

  /// What plan and report begin with.
  static func writeHead(of plan: Plan, _ command: CommandWord, to json: JSONWriter) {
    json.field("formatVersion", 1)
    json.field("command", command.rawValue)
    json.field("scope", plan.scope.text)
    json.field("manifest", plan.source)
    json.field("queues", plan.queues) { queue in
      json.object {
        json.field("name", queue.declaration.name.text)
        json.field("action", queue.action.rawValue)
        json.field("changes", queue.changes)
        json.field("mode", queue.declaration.configuration.mode.rawValue)
      }
    }
  }

  /// What a file of a plan and a file of a report begin with.
  /// `isHeld` where that has changed since the plan.
  static func writeHead(of file: FilePlan, isHeld: Bool? = nil, to json: JSONWriter) {
    json.field("id", file.entry.id)
    json.field("destination", file.entry.destination.path)
    json.field("url", file.entry.url.redacted)
    json.field("queue", file.entry.queue.text)
    json.field("priority", file.entry.priority)
    json.field("action", file.action.rawValue)
    json.field("reason", file.reason.rawValue)
    json.field("held", isHeld ?? file.isHeld)
  }

  static func writeOrphans(of plan: Plan, to json: JSONWriter) {
    json.field("orphans", plan.orphans) { orphan in
      json.object {
        json.field("id", orphan.id)
        json.field("destination", orphan.destination)
        json.field("url", Redaction.url(orphan.url))
      }
    }
  }
}
