internal import DLSyncModel
internal import DLSyncStore

extension QueueSession {
  /// Takes up what earlier runs left: unfinished tasks go on, but for those of which a part of the request was not to be
  /// recorded. These are suspended until the program asks for them again.
  func begin() async throws(DLSyncError) {
    let tasks = try await store.requestedTasks(of: scope, name, onlyOpen: false)
    let killed = try await KilledPublications(store)
    var changes: [TaskChange] = []
    var open: [(id: TaskID, state: TaskState)] = []
    for task in tasks {
      idsByURL[BytewiseText(Redaction.storable(task.entry.url.text))] = task.entry.id
      guard !task.state.isTerminal else { continue }
      let isLost = task.isWithheld && task.state != .suspended
      if isLost {
        // Being suspended forgets what a killed run was about to do.
        _ = try killed.settle(task.entry.id, at: task.entry.destination)
        if let file = await killed.published(task.entry) {
          changes.append(.settled(task.entry.id, file))
          continue
        }
        changes.append(.state(task.entry.id, .suspended, error: .withheld))
      }
      open.append((task.entry.id, isLost ? .suspended : task.state == .suspended ? .suspended : .waiting))
    }
    try await store.update(changes, now: .now)
    hub.begin(with: open)
    look()
    watch()
  }
}
