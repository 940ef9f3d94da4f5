import DLSyncModel

/// Decides what becomes of the records of queues.
struct QueueJudge {
  /// One line for each declared queue that is selected, in the manifest's order.
  let plans: [QueuePlan]
  /// What stands against the files of a queue.
  let refusals: [QueueName: Refusal]

  init(_ declarations: [QueueDeclaration], _ stored: [StoredQueue], selected: Set<QueueName>?) {
    var plans: [QueuePlan] = []
    var refusals: [QueueName: Refusal] = [:]
    for declaration in declarations where selected?.contains(declaration.name) ?? true {
      guard let record = stored.first(where: { $0.name == declaration.name }) else {
        plans.append(QueuePlan(declaration: declaration, action: .create))
        continue
      }
      let changes = declaration.configuration.changes(from: record.settings)
      let forbidden = changes.filter(\.isFixedWhileRunning).map(\.key)
      if let process = record.runningProcess, !forbidden.isEmpty {
        refusals[declaration.name] = .running(declaration.name, keys: forbidden, process: process)
        plans.append(QueuePlan(declaration: declaration, action: .conflict, changes: changes.map(\.key)))
      } else {
        let action: QueuePlan.Action = changes.isEmpty ? .unchanged : .update
        plans.append(QueuePlan(declaration: declaration, action: action, changes: changes.map(\.key)))
      }
    }
    self.plans = plans
    self.refusals = refusals
  }
}
