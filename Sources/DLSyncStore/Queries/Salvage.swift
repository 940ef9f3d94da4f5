import DLSyncModel

/// Reads what is left of a state that cannot be used.
struct Salvage {
  let files: StateFiles

  /// The rows up to the first that cannot be read; none where there is no such table.
  func tasks(of scope: Scope) -> [StoredTask] {
    guard let path = try? files.resolvedDatabase() else { return [] }
    let hasLog = (StateFiles.stamp(path + "-wal")?.size ?? 0) > 0
    return read(path, hasLog ? .readOnly : .readImmutable, scope) ?? read(path, .readImmutable, scope) ?? []
  }

  /// The scopes that have tasks, by name; none where that cannot be read.
  func scopes() -> [Scope] {
    guard let path = try? files.resolvedDatabase() else { return [] }
    let hasLog = (StateFiles.stamp(path + "-wal")?.size ?? 0) > 0
    let modes: [Connection.Mode] = hasLog ? [.readOnly, .readImmutable] : [.readImmutable]
    for mode in modes {
      if let connection = try? Connection(path, mode, patience: .seconds(1)), let found = try? scopes(connection) {
        return found
      }
    }
    return []
  }

  private func scopes(_ connection: Connection) throws(StoreFailure) -> [Scope] {
    let rows = try connection.statement(
      "SELECT name FROM scope WHERE EXISTS (SELECT 1 FROM task WHERE task.scope = scope.number) ORDER BY name")
    var found: [Scope] = []
    while try rows.step() { found.append(Scope(rows.text(0))) }
    return found
  }

  /// Nil where not even the first row can be read.
  private func read(_ path: String, _ mode: Connection.Mode, _ scope: Scope) -> [StoredTask]? {
    guard let connection = try? Connection(path, mode, patience: .seconds(1)) else { return nil }
    let query = StateQuery(connection: connection)
    guard let own = (try? query.scopeNames())?.first(where: { $0.value == scope })?.key else { return nil }
    var packer = TaskPacker()
    do throws(StoreFailure) {
      try query.forEachTask { owner, row in
        if owner == own { query.add(row, queue: .default, intent: nil, to: &packer) }
      }
    } catch {
      // What was read before the damage is all that there is.
    }
    let tasks = packer.finish()
    return tasks.isEmpty ? nil : tasks
  }
}
