import DLSyncModel

/// A report in JSON; docs/output.md describes every field.
struct ReportDocument {
  let report: Report
  /// The manifest as the user named it, for a run that never had a plan.
  let manifest: String
  /// The status that the command ends with.
  let exitStatus: Int32

  init(report: Report, manifest: String, exitStatus: Int32? = nil) {
    self.report = report
    self.manifest = manifest
    self.exitStatus = exitStatus ?? report.exitStatus
  }

  /// Without the braces around it, so that an event can begin with its name.
  func writeMembers(to json: JSONWriter) {
    if let plan = report.plan {
      PlanDocument.writeHead(of: plan, .apply, to: json)
      json.field("files", plan.files.indices) { index in writeFile(plan.files[index], report.outcomes[index], to: json)
      }
      PlanDocument.writeOrphans(of: plan, to: json)
    } else {
      json.field("formatVersion", 1)
      json.field("command", CommandWord.apply.rawValue)
      json.field("manifest", manifest)
    }
    json.field("warnings", report.warnings)
    if let error = report.end?.error { json.field("error", error) }
    json.field("summary") { Self.write(report.summary, to: json) }
    json.field("exitStatus", exitStatus)
  }

  func write(to json: JSONWriter) {
    json.object { writeMembers(to: json) }
  }

  static func write(_ summary: Report.Summary, to json: JSONWriter) {
    json.field("total", summary.total)
    json.field("downloaded", summary.downloaded)
    json.field("reused", summary.reused)
    json.field("conflicts", summary.conflicts)
    json.field("failed", summary.failed)
    json.field("held", summary.held)
    json.field("handedOver", summary.handedOver)
    json.field("pruned", summary.pruned)
    json.field("bytes", summary.bytes)
    json.field("fetchedBytes", summary.fetchedBytes)
    json.field("seconds", summary.seconds)
  }

  private func writeFile(_ file: FilePlan, _ outcome: FileOutcome?, to json: JSONWriter) {
    // A command may have held it back meanwhile, or released it.
    let isHeld = outcome.map { [.suspended, .canceled, .removed].contains($0.state) }
    json.object {
      PlanDocument.writeHead(of: file, isHeld: isHeld, to: json)
      json.field("state", (outcome?.state ?? Self.stateWithoutOutcome(file)).rawValue)
      json.field("bytes", file.bytes(after: outcome))
      json.field("fetchedBytes", outcome?.fetchedBytes ?? .zero)
      json.field("seconds", outcome?.seconds)
      json.field("attempts", outcome?.attempts ?? 0)
      json.field("sha256", file.fingerprint(after: outcome)?.hex)
      json.field("finalURL", outcome?.finalURL.map { Redaction.url($0) })
      json.field("statusCode", outcome?.statusCode)
      json.field("warnings", outcome?.warnings ?? [])
      json.field("error", outcome?.error ?? (outcome == nil ? file.error : nil))
    }
  }

  /// The state of a file that the run never came to.
  private static func stateWithoutOutcome(_ file: FilePlan) -> TaskState {
    switch (file.action, file.reason) {
    case _ where file.staysAsItIs: .completed
    case (.conflict, _): .failed
    case (_, .suspended): .suspended
    case (_, .canceled): .canceled
    default: .waiting
    }
  }
}

extension FilePlan {
  /// The size of the file with this end; where it has none because it stays as it is, of what is there.
  func bytes(after outcome: FileOutcome?) -> ByteCount? {
    if let outcome { return outcome.bytes }
    guard staysAsItIs, case .file(let identity) = basis else { return nil }
    return ByteCount(identity.size)
  }

  /// Its SHA-256, likewise.
  func fingerprint(after outcome: FileOutcome?) -> Digest? {
    if let outcome { return outcome.fingerprint }
    return staysAsItIs ? fingerprint : nil
  }
}

extension Report.Summary {
  /// Several runs in one: everything added up.
  static func + (left: Report.Summary, right: Report.Summary) -> Report.Summary {
    var sum = left
    sum.total += right.total
    sum.downloaded += right.downloaded
    sum.reused += right.reused
    sum.conflicts += right.conflicts
    sum.failed += right.failed
    sum.held += right.held
    sum.handedOver += right.handedOver
    sum.pruned += right.pruned
    sum.bytes = left.bytes.adding(right.bytes)
    sum.fetchedBytes = left.fetchedBytes.adding(right.fetchedBytes)
    sum.seconds += right.seconds
    return sum
  }
}
