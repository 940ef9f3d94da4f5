import DLSyncModel

// Scopes, and the settings of their queues.
extension PlanRecorder {
  /// Nil where the scope is new.
  func scopeRow(_ scope: Scope) throws(StoreFailure) -> Int64? {
    let rows = try connection.statement("SELECT number FROM scope WHERE name = ?")
    rows.bind(1, scope.text)
    defer { rows.reset() }
    return try rows.step() ? rows.integer(0) : nil
  }

  func scopeNumber(_ scope: Scope) throws(StoreFailure) -> Int64 {
    if let number = try scopeRow(scope) { return number }
    let statement = try connection.statement("INSERT INTO scope (name) VALUES (?)")
    statement.bind(1, scope.text)
    try statement.run()
    return connection.lastRow
  }

  /// Writes settings that differ, and forgets the proxy's URL of what is no background queue any more; those of
  /// conflicting queues excepted. Answers the number of every queue of the scope.
  func recordQueues(_ plan: Plan, _ scope: Int64) throws(StoreFailure) -> [QueueName: Int64] {
    var numbers: [QueueName: Int64] = [:]
    var texts: [QueueName: String] = [:]
    for row in try QueueRow.all(connection) where row.scope == scope {
      numbers[row.name] = row.number
      texts[row.name] = LineCoding.encode(row.settings)
    }
    for queue in plan.queues where queue.action != .conflict {
      let name = queue.declaration.name
      let text = Self.settingsText(queue.declaration)
      guard texts[name] != text else { continue }
      let statement = try connection.statement(
        """
        INSERT INTO queue (scope, name, settings) VALUES (?, ?, ?)
        ON CONFLICT (scope, name) DO UPDATE SET settings = excluded.settings,
          proxy = iif(excluded.settings LIKE 'mode=background%', proxy, NULL) RETURNING number
        """)
      statement.bind(1, scope)
      statement.bind(2, name.text)
      statement.bind(3, text)
      while try statement.step() { numbers[name] = statement.integer(0) }
    }
    return numbers
  }

  static func settingsText(_ queue: QueueDeclaration) -> String {
    LineCoding.encode(queue.configuration.settings.lazy.map { (key: $0.key, value: $0.value) })
  }
}
