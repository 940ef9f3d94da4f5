internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore

/// Commands carried out on the record: where no process runs the tasks' queues, or by the one that does, for tasks that it
/// has nothing to do with at the moment.
struct RecordCommands {
  private let commands: [(command: TaskCommand, id: TaskID)]

  init(_ commands: [(TaskCommand, TaskID)]) { self.commands = commands.map { (command: $0.0, id: $0.1) } }

  /// What became of a command.
  struct Outcome: Sendable {
    /// Why it was refused, or what of it could not be done.
    var error: DLSyncError?
    /// What it made of the task; nil where nothing changed.
    var change: RecordedChange?
  }

  /// Order: published files, where they are to go; the record, which then claims less than the disk holds; partial data.
  func carryOut(_ store: Store) async throws(DLSyncError) -> [Outcome] {
    guard !commands.isEmpty else { return [] }
    var outcomes: [Outcome] = []
    // A file that could not be deleted keeps its record: without it nobody would try again.
    var possible: [Int] = []
    for (index, (command, id)) in commands.enumerated() {
      let deletion = try await deleteFile(command, id, store)
      outcomes.append(Outcome(error: deletion.error))
      if !deletion.hasFailed { possible.append(index) }
    }
    let results = try await store.carryOut(possible.map { commands[$0] }, now: .now)
    var leftovers: [Orphan] = []
    for (index, result) in zip(possible, results) {
      switch result {
      case .failure(let error): outcomes[index].error = error
      case .success(let task):
        outcomes[index].change = commands[index].command.target.map {
          RecordedChange(id: task.id, from: task.state, to: $0)
        }
        guard commands[index].command.dropsPartialData else { continue }
        leftovers.append(Orphan(id: task.id, destination: task.destination, url: ""))
      }
    }
    if !leftovers.isEmpty { removeLeftovers(of: leftovers) }
    return outcomes
  }

  /// What became of a file that was to be deleted.
  private struct Deletion {
    static let done = Deletion(error: nil, hasFailed: false)
    /// Nil when it is gone, was never there, or was not to be deleted.
    let error: DLSyncError?
    /// Whether it may be deleted another time.
    let hasFailed: Bool
  }

  private func deleteFile(_ command: TaskCommand, _ id: TaskID, _ store: Store) async throws(DLSyncError) -> Deletion {
    guard case .remove(deletesFile: true) = command, let task = try await store.task(id),
      let published = task.published, task.state != .verifying, task.state != .publishing
    else { return .done }
    guard let place = try? Destination(task.destination, root: "/") else { return .done }
    do throws(DLSyncError) {
      guard try Publisher().remove(id, at: place, fingerprint: published.fingerprint) == .kept else { return .done }
    } catch { return Deletion(error: error, hasFailed: true) }
    let error = DLSyncError(
      .destinationModified,
      "the task is forgotten, but \"\(task.destination)\" was changed since it was published, and stays",
      hint: "delete it yourself if nobody needs it")
    return Deletion(error: error, hasFailed: false)
  }
}

/// A change of a task's state that a command made in the record.
struct RecordedChange: Sendable {
  let id: TaskID
  let from: TaskState
  let to: TaskState
}

extension TaskCommand {
  /// The state that it leads to where it is taken; nil where the state stays.
  fileprivate var target: TaskState? {
    switch self {
    case .pause: .suspended
    case .resume, .restart: .waiting
    case .cancel: .canceled
    case .remove: .removed
    case .priority, .reorder, .headers: nil
    }
  }

  fileprivate var dropsPartialData: Bool {
    switch self {
    case .cancel, .restart, .remove, .headers: true
    case .pause, .resume, .priority, .reorder: false
    }
  }
}
