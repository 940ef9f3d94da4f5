import DLSyncKit
import DLSyncModel

/// The findings of `verify` in JSON; docs/output.md describes every field.
struct VerificationDocument {
  let manifest: Manifest
  let verification: Verification
  /// The signal that ended the whole command.
  var signal: Int32?

  func write(to json: JSONWriter) {
    let repaired = verification.repaired
    let errors = verification.errors
    json.object {
      json.field("formatVersion", 1)
      json.field("command", CommandWord.verify.rawValue)
      json.field("scope", manifest.scope.text)
      json.field("manifest", manifest.source)
      json.field("files", verification.files) { file in
        json.object {
          json.field("id", file.entry.id)
          json.field("destination", file.entry.destination.path)
          json.field("url", file.entry.url.redacted)
          json.field("queue", file.entry.queue.text)
          json.field("finding", Verification.word(file.finding))
          json.field("expected", file.expected?.description)
          json.field("actual", file.actual?.description)
          json.field("repaired", repaired.contains(file.entry.id))
          json.field("error", errors[file.entry.id] ?? file.error)
        }
      }
      json.field("summary") { Self.write(verification.summary, to: json) }
      json.field("exitStatus", signal.map { 128 + $0 } ?? verification.exitStatus)
    }
  }

  static func write(_ summary: Verification.Summary, to json: JSONWriter) {
    json.field("total", summary.total)
    json.field("intact", summary.intact)
    json.field("missing", summary.missing)
    json.field("differs", summary.differs)
    json.field("unreadable", summary.unreadable)
    json.field("notRecorded", summary.notRecorded)
    json.field("repaired", summary.repaired)
  }
}
