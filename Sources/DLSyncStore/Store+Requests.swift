package import DLSyncModel

// What programs ask for through the library, one file at a time. The caller holds the queue's lock throughout.
extension Store {
  /// The recorded settings of a queue by key, and the URL of its proxy as far as it is recorded; nil for a queue that is new.
  package func settings(
    of scope: Scope, _ queue: QueueName
  ) throws(DLSyncError) -> (values: [String: String], proxy: String?)? {
    try reading { (connection) throws(StoreFailure) in
      let rows = try connection.statement(
        """
        SELECT settings, proxy FROM queue JOIN scope ON scope.number = queue.scope
          WHERE scope.name = ? AND queue.name = ?
        """)
      rows.bind(1, scope.text)
      rows.bind(2, queue.text)
      defer { rows.reset() }
      guard try rows.step() else { return nil }
      return (Dictionary(LineCoding.decode(rows.text(0))) { first, _ in first }, rows.textOrNull(1))
    }
  }

  /// Records a queue with its configuration, and its tasks' requests as that configuration wants them kept: with header
  /// values and credentials, or without.
  package func record(
    _ queue: QueueDeclaration, of scope: Scope, requests: [FileEntry], now: Timestamp
  ) throws(DLSyncError) {
    try writing { (connection) throws(StoreFailure) in
      let recorder = PlanRecorder(connection: connection, now: now)
      let number = try recorder.scopeNumber(scope)
      let plan = Plan(
        scope: scope, source: scope.text, queues: [QueuePlan(declaration: queue, action: .update)], files: [],
        orphans: [])
      guard let row = try recorder.recordQueues(plan, number)[queue.name] else { return }
      let table = WorkTable(connection: connection)
      try table.put(queue.keepsSecrets ? queue.configuration : QueueConfiguration(), queue: row)
      for request in requests { try table.put(request, keepsSecrets: queue.keepsSecrets) }
    }
  }

  /// Makes waiting tasks of entries, each unless its destination is another task's, in one transaction.
  package func enrol(
    _ entries: [FileEntry], in queue: QueueDeclaration, of scope: Scope, now: Timestamp
  ) throws(DLSyncError) -> [Enrolment] {
    guard !entries.isEmpty else { return [] }
    return try writing { (connection) throws(StoreFailure) in
      try RequestedTasks(connection: connection, now: now).enrol(entries, queue, scope)
    }
  }

  /// Records what is asked for by now of tasks that are there.
  package func renew(_ entries: [FileEntry], in queue: QueueDeclaration) throws(DLSyncError) {
    guard !entries.isEmpty else { return }
    try writing { (connection) throws(StoreFailure) in
      let table = WorkTable(connection: connection)
      for entry in entries { try table.put(entry, keepsSecrets: queue.keepsSecrets) }
    }
  }

  /// The tasks of a queue in the order in which they were recorded; only those to be gone on with where that is asked.
  package func requestedTasks(
    of scope: Scope, _ queue: QueueName, onlyOpen: Bool
  ) throws(DLSyncError) -> [RequestedTask] {
    try reading { (connection) throws(StoreFailure) in
      try RequestedTasks(connection: connection, now: Timestamp(nanoseconds: 0))
        .tasks(of: scope, queue, onlyOpen: onlyOpen)
    }
  }

  /// One task of a queue; nil where it is not recorded, or is another queue's.
  package func requestedTask(
    _ id: TaskID, of scope: Scope, _ queue: QueueName
  ) throws(DLSyncError) -> RequestedTask? {
    try reading { (connection) throws(StoreFailure) in
      try RequestedTasks(connection: connection, now: Timestamp(nanoseconds: 0)).task(id, of: scope, queue)
    }
  }

  /// A task as `status` shows it; nil where nothing is recorded of it.
  package func taskSnapshot(_ id: TaskID) throws(DLSyncError) -> TaskSnapshot? {
    try reading { (connection) throws(StoreFailure) in
      try SnapshotQuery(connection: connection, scopes: nil).task(id)
    }
  }
}
