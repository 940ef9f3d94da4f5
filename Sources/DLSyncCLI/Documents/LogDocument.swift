import DLSyncKit
import DLSyncModel

/// The log in JSON; docs/output.md describes every field.
struct LogDocument {
  let json: JSONWriter

  func write(_ lines: [LogLine]) {
    json.object {
      json.field("formatVersion", 1)
      json.field("command", CommandWord.log.rawValue)
      json.field("events", lines) { line in json.object { members(line) } }
    }
    json.endLine()
  }

  func writeLine(_ line: LogLine) {
    json.object { members(line) }
    json.endLine()
  }

  private func members(_ line: LogLine) {
    json.field("event", line.kind.rawValue)
    json.field("at", line.at)
    json.field("run", line.run.map { Int($0) })
    json.field("scope", line.scope.text)
    if let task = line.task {
      json.field("queue", line.queue?.text)
      json.field("id", task)
      json.field("destination", line.destination)
      json.field("url", line.url.map { Redaction.url($0) })
      json.field("bytes", line.bytes)
      json.field("error", line.error)
    } else if line.kind == .runFinished {
      json.field("summary") {
        for fact in line.facts {
          json.key(fact.key)
          if let number = Double(fact.value) { json.number(number) } else { json.string(fact.value) }
        }
        json.field("fetchedBytes", line.bytes)
      }
      json.field("error", line.error)
      json.field("exitStatus", line.exitStatus)
    }
  }
}
