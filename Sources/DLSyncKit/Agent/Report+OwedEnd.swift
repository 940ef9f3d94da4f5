internal import DLSyncModel
internal import DLSyncStore

extension Report {
  /// What became of everything that was handed over to a queue, from the record alone: agents come and go meanwhile.
  init(_ end: OwedEnd) {
    self.init()
    let queue = QueuePlan(declaration: end.queue.declaration, action: .unchanged)
    let files = end.tasks.compactMap { task -> (plan: FilePlan, task: TaskSnapshot)? in
      guard let entry = FileEntry(task) else { return nil }
      // What came without a transfer was there already.
      let stayed = task.handed?.fetched == .zero && task.completedBytes > .zero
      return (FilePlan(entry: entry, action: .download, reason: stayed ? .stale : .new), task)
    }
    apply(
      .planned(
        Plan(
          scope: end.queue.scope, source: end.queue.scope.text, queues: [queue], files: files.map(\.plan), orphans: []))
    )
    for (index, file) in files.enumerated() { apply(.ended(FileOutcome(file.task, file: index))) }
    apply(.finished(RunEnd(seconds: Self.seconds(of: files.map(\.task)))))
  }

  /// From the first beginning to the last end.
  private static func seconds(of tasks: [TaskSnapshot]) -> Double {
    guard let first = tasks.compactMap(\.startedAt).min(), let last = tasks.compactMap(\.finishedAt).max() else {
      return 0
    }
    return max(0, last.seconds - first.seconds)
  }
}

extension FileEntry {
  /// As far as the record tells it; the URL without its credentials.
  fileprivate init?(_ task: TaskSnapshot) {
    guard let url = try? SourceURL(task.url), let place = try? Destination(task.destination, root: "/") else {
      return nil
    }
    self.init(
      scope: task.scope, url: url, destination: place, queue: task.queue, checksums: task.checksums,
      priority: task.priority)
  }
}
