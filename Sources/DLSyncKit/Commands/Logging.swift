public import DLSyncModel
internal import DLSyncStore

/// Lines of the log, and the mark to ask with the next time.
public struct LogExcerpt: Sendable {
  /// Oldest first.
  public let found: [LogLine]
  /// The number of the last line that was looked at.
  public let last: Int64
  /// Names that none of the lines is about.
  public let unknown: [String]
}

extension Workspace {
  /// What the log tells behind a line (zero: from the beginning) and not before a moment. With names, only of their tasks.
  public func log(
    _ selection: TaskSelection, after number: Int64, since: Timestamp?
  ) async throws(DLSyncError) -> LogExcerpt {
    guard let store = try await Store.open(folder: stateFolder, access: .read) else {
      return LogExcerpt(found: [], last: number, unknown: selection.match([]).unknown)
    }
    let lines = try await store.log(after: number, since: since)
    await store.close()
    let (found, unknown) = selection.lines(lines)
    return LogExcerpt(found: found, last: lines.last?.number ?? number, unknown: unknown)
  }
}

extension TaskSelection {
  /// Tasks that are forgotten since are known by their lines.
  fileprivate func lines(_ lines: [LogLine]) -> (found: [LogLine], unknown: [String]) {
    guard !names.isEmpty || !queues.isEmpty || scopes != nil else { return (lines, []) }
    let tasks = lines.compactMap { line -> TaskSnapshot? in
      guard let id = line.task, let queue = line.queue, let destination = line.destination else { return nil }
      return TaskSnapshot(
        id: id, scope: line.scope, queue: queue, url: line.url ?? "", destination: destination, state: .completed,
        createdAt: line.at)
    }
    let match = match(tasks)
    let wanted = Set(match.tasks.map(\.id))
    let isNarrow = !names.isEmpty || !queues.isEmpty
    let found = lines.filter { line in
      if let task = line.task { return wanted.contains(task) }
      return !isNarrow && scopes?.contains(line.scope) ?? true
    }
    return (found, match.unknown)
  }
}
