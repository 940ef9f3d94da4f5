import DLSyncModel

/// Recorded tasks and queues in JSON; docs/output.md describes every field.
struct StatusDocument {
  let tasks: [TaskSnapshot]
  let queues: [QueueSnapshot]

  func write(to json: JSONWriter) {
    json.object {
      json.field("formatVersion", 1)
      json.field("command", CommandWord.status.rawValue)
      json.field("queues", queues) { queue in write(queue, to: json) }
      json.field("tasks", tasks) { task in write(task, to: json) }
    }
  }

  private func write(_ task: TaskSnapshot, to json: JSONWriter) {
    let sample = task.progress
    json.object {
      json.field("id", task.id)
      json.field("scope", task.scope.text)
      json.field("queue", task.queue.text)
      json.field("url", Redaction.url(task.url))
      json.field("finalURL", task.finalURL.map { Redaction.url($0) })
      json.field("destination", task.destination)
      json.field("state", task.state.rawValue)
      json.field("priority", task.priority)
      json.field("attempts", task.attempts)
      json.field("progress") {
        json.field("completedBytes", sample.completed)
        json.field("totalBytes", sample.total)
        json.field("fractionCompleted", sample.fraction)
        json.field("bytesPerSecond", sample.bytesPerSecond)
        json.field("estimatedTimeRemaining", sample.estimatedTimeRemaining)
      }
      json.field("statusCode", task.statusCode)
      json.field("responseHeaders") {
        for header in shown(task.responseHeaders) { json.field(header.name, header.value) }
      }
      json.field("createdAt", task.createdAt)
      json.field("startedAt", task.startedAt)
      json.field("updatedAt", task.updatedAt)
      json.field("finishedAt", task.finishedAt)
      json.field("resumable", task.isResumable)
      writeChunks(of: task, to: json)
      writeChecksum(of: task, to: json)
      json.field("fingerprint", task.fingerprint?.hex)
      json.field("error", task.error)
    }
  }

  /// Each name once, as an object has it: fields of one name are one list (RFC 9110, section 5.2).
  private func shown(_ headers: [HeaderField]) -> [(name: String, value: String)] {
    var places: [String: Int] = [:]
    var shown: [(name: String, value: String)] = []
    for header in headers where Redaction.mayShow(responseHeader: header.name) {
      if let place = places[header.name.lowercased()] {
        shown[place].value += ", " + header.value
      } else {
        places[header.name.lowercased()] = shown.count
        shown.append((header.name, header.value))
      }
    }
    return shown
  }

  private func writeChunks(of task: TaskSnapshot, to json: JSONWriter) {
    var total: Int?
    if let size = task.chunkSize?.bytes, size > 0, let bytes = task.totalBytes?.bytes {
      total = Int(bytes / size + (bytes % size == 0 ? 0 : 1))
    }
    json.field("chunks") {
      json.field("size", task.chunkSize)
      json.field("total", total)
      json.field("confirmed", task.confirmedChunks)
    }
  }

  private func writeChecksum(of task: TaskSnapshot, to json: JSONWriter) {
    // Of several the one that was not met: all others say nothing about the trouble.
    let found = task.error?.code == .checksumMismatch ? task.error?.details.found : nil
    let missed = found.flatMap { found in task.checksums.first { $0.algorithm == found.algorithm && $0 != found } }
    guard let expected = missed ?? task.checksums.first else {
      json.key("checksum")
      json.null()
      return
    }
    // Nothing is published that did not match, so a completed task did.
    let known = task.fingerprint?.algorithm == expected.algorithm ? task.fingerprint : nil
    let actual = missed == nil ? known ?? (task.state == .completed ? expected : nil) : found
    json.field("checksum") {
      json.field("algorithm", expected.algorithm.name)
      json.field("expected", expected.hex)
      json.field("actual", actual?.hex)
      json.field("matched", actual.map { $0 == expected })
    }
  }

  private func write(_ queue: QueueSnapshot, to json: JSONWriter) {
    json.object {
      json.field("name", queue.name.text)
      json.field("scope", queue.scope.text)
      json.field("mode", queue.settings.first { $0.key == "mode" }?.value)
      json.field("running", queue.runningProcess)
      json.field("configuration") { ConfigurationDocument(settings: queue.settings).writeMembers(to: json) }
      json.field("capabilities", String?.none)
      json.field("taskCount", queue.taskCount)
      json.field("runningCount", queue.runningCount)
      json.field("completedCount", queue.completedCount)
      json.field("failedCount", queue.failedCount)
      json.field("canceledCount", queue.canceledCount)
      json.field("totalBytes", queue.totalBytes)
      json.field("completedBytes", queue.completedBytes)
      json.field("bytesPerSecond", queue.bytesPerSecond)
      json.field("estimatedTimeRemaining", queue.progress?.estimatedTimeRemaining)
    }
  }
}
