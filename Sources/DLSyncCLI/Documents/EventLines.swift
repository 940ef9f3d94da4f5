import DLSyncModel

/// The events of a run as JSON lines; docs/output.md describes each.
struct EventLines {
  private let json: JSONWriter
  private var files: [FilePlan] = []

  init(_ json: JSONWriter) { self.json = json }

  mutating func write(_ event: Event) {
    switch event {
    case .planned(let plan):
      files = plan.files
      line("plan") { PlanDocument(plan: plan, command: .apply).writeMembers(to: json) }
    case .joined(let more): files += more
    case .stateChanged(let change):
      writeState(change.file, from: change.from, to: change.to, error: change.error, delay: change.delay)
    case .ended(let outcome):
      // A file that was right before and after made no step.
      guard outcome.from != outcome.state || outcome.error != nil else { return }
      writeState(outcome.file, from: outcome.from, to: outcome.state, error: outcome.error, delay: nil)
    case .resumed(let file, let offset, let total):
      line("resumed") {
        json.field("id", files[file].entry.id)
        json.field("offset", offset)
        json.field("totalBytes", total)
      }
    case .progress(let file, let sample): writeProgress(file, sample)
    case .warning(let file, let text):
      line("warning") {
        json.field("id", file.map { files[$0].entry.id })
        json.field("message", text)
      }
    case .pruned(let files): line("pruned") { json.field("count", files.count) }
    case .finished: break  // the report is the last line
    }
  }

  func write(_ document: ReportDocument) {
    line("report") { document.writeMembers(to: json) }
  }

  private func writeState(_ file: Int, from: TaskState, to: TaskState, error: DLSyncError?, delay: Duration?) {
    line("state") {
      json.field("id", files[file].entry.id)
      json.field("destination", files[file].entry.destination.path)
      json.field("from", from.rawValue)
      json.field("to", to.rawValue)
      if let error { json.field("error", error) }
      if let delay { json.field("delay", delay.inSeconds) }
    }
  }

  private func writeProgress(_ file: Int, _ sample: ProgressSample) {
    line("progress") {
      json.field("id", files[file].entry.id)
      json.field("completedBytes", sample.completed)
      json.field("totalBytes", sample.total)
      json.field("fractionCompleted", sample.fraction)
      json.field("bytesPerSecond", sample.bytesPerSecond)
      json.field("estimatedTimeRemaining", sample.estimatedTimeRemaining)
    }
  }

  private func line(_ name: String, _ members: () -> Void) {
    json.object {
      json.field("event", name)
      members()
    }
    json.endLine()
  }
}
