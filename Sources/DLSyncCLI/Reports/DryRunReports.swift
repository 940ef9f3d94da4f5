import DLSyncModel

/// The reports of `apply --dry-run`: plans in the place of runs.
struct DryRunReports {
  private let context: CommandContext
  private var runs: [RunRecord] = []
  private var documents: [(JSONWriter) -> Void] = []

  init(_ context: CommandContext) { self.context = context }

  private var isWanted: Bool { !context.settings.reports.isEmpty }

  mutating func add(_ plan: Plan, exitStatus: Int32) {
    guard isWanted else { return }
    runs.append(RunRecord(planned: plan, status: exitStatus))
    documents.append { PlanDocument(plan: plan, command: .plan).write(to: $0) }
  }

  mutating func add(_ failure: FailureDocument) {
    guard isWanted else { return }
    runs.append(RunRecord(refused: failure))
    documents.append { failure.write(to: $0) }
  }

  /// Writes every report that was asked for; `sum` writes the members of the summary of several plans. Answers the exit
  /// status, as the writer does.
  func write(exitStatus: Int32, sum: (JSONWriter) -> Void) -> Int32 {
    ReportWriter(context).write(runs, exitStatus: exitStatus) { channel, exitStatus in
      let json = JSONWriter(channel)
      if documents.count == 1 {
        documents[0](json)
      } else {
        json.object {
          json.field("formatVersion", 1)
          json.field("command", CommandWord.plan.rawValue)
          json.field("manifests", documents) { $0(json) }
          json.field("summary") { sum(json) }
          json.field("exitStatus", exitStatus)
        }
      }
      json.endLine()
    }
  }
}
