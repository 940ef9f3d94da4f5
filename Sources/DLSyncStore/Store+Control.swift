package import DLSyncModel
package import DLSyncThreading

/// Requests that came since the last look, and the mark to ask with the next time.
package struct RequestBatch: Sendable {
  package let requests: [TaskRequest]
  package let version: Int64
}

extension Store {
  /// Carries commands out on the record, one after another in one commit. For whoever runs the tasks' queues, and for
  /// everybody while nobody does. Answers for each the task as it was before, or why the command was refused.
  package func carryOut(
    _ commands: [(command: TaskCommand, id: TaskID)], now: Timestamp
  ) throws(DLSyncError) -> [Result<CommandedTask, DLSyncError>] {
    guard !commands.isEmpty else { return [] }
    return try writing { (connection) throws(StoreFailure) in
      let recorder = CommandRecorder(connection: connection, now: now)
      var results: [Result<CommandedTask, DLSyncError>] = []
      for (command, id) in commands { results.append(try recorder.carryOut(command, id)) }
      if commands.contains(where: { if case .remove = $0.command { true } else { false } }) {
        try WorkTable(connection: connection).forgetEmptyQueues()
      }
      return results
    }
  }

  /// What is recorded of a task; nil where nothing is.
  package func task(_ id: TaskID) throws(DLSyncError) -> CommandedTask? {
    try reading { (connection) throws(StoreFailure) in
      try CommandRecorder(connection: connection, now: Timestamp(nanoseconds: 0)).find(id)?.task
    }
  }

  /// Leaves commands for the processes that run the tasks' queues. Answers the requests' numbers; nil for a task that is
  /// not recorded.
  package func post(
    _ commands: [(command: TaskCommand, id: TaskID)], now: MonotonicInstant
  ) throws(DLSyncError) -> [Int64?] {
    guard !commands.isEmpty else { return [] }
    return try writing { (connection) throws(StoreFailure) in
      let table = RequestTable(connection: connection)
      var numbers: [Int64?] = []
      for (command, id) in commands { numbers.append(try table.post(id, command, now: now)) }
      return numbers
    }
  }

  /// Asks the process that runs a queue, also where the task is not recorded any more. Nil where the queue is not.
  package func post(
    _ command: TaskCommand, _ task: TaskID, of scope: Scope, _ queue: QueueName, now: MonotonicInstant
  ) throws(DLSyncError) -> Int64? {
    try writing { (connection) throws(StoreFailure) in
      try RequestTable(connection: connection).post(task, command, to: scope, queue, now: now)
    }
  }

  /// The answers that are there.
  package func answers(to numbers: [Int64]) throws(DLSyncError) -> [TaskAnswer] {
    try reading { (connection) throws(StoreFailure) in try RequestTable(connection: connection).answers(to: numbers) }
  }

  /// Takes requests back, answered or not: the answers that were there until now.
  package func withdraw(_ numbers: [Int64]) throws(DLSyncError) -> [TaskAnswer] {
    guard !numbers.isEmpty else { return [] }
    return try writing { (connection) throws(StoreFailure) in
      let table = RequestTable(connection: connection)
      let answers = try table.answers(to: numbers)
      try table.remove(numbers)
      return answers
    }
  }

  /// Takes back whatever is asked of these tasks and not answered; only what was asked before the request `number`, where
  /// one is given. Who still waits for one of them asks again.
  package func withdrawRequests(of tasks: Set<TaskID>, before number: Int64? = nil) throws(DLSyncError) {
    let open = try reading { (connection) throws(StoreFailure) in
      try RequestTable(connection: connection).unanswered()
    }
    _ = try withdraw(open.filter { tasks.contains($0.task) && $0.number < number ?? .max }.map(\.number))
  }

  /// Whether a request is there, answered or not: it is until somebody takes it back.
  package func hasRequest(_ number: Int64) throws(DLSyncError) -> Bool {
    try reading { (connection) throws(StoreFailure) in try RequestTable(connection: connection).holds(number) }
  }

  /// What other processes ask of these queues. Nil where nobody else has written since `version`, which costs next to
  /// nothing to find out.
  package func requests(
    of scope: Scope, _ queues: Set<QueueName>, since version: Int64?, now: MonotonicInstant
  ) throws(DLSyncError) -> RequestBatch? {
    let current = try dataVersion()
    guard current != version else { return nil }
    let requests = try reading { (connection) throws(StoreFailure) in
      try RequestTable(connection: connection).open(scope: scope, queues: queues, now: now)
    }
    return RequestBatch(requests: requests, version: current)
  }

  /// Answers requests.
  package func answer(_ answers: [TaskAnswer], now: MonotonicInstant) throws(DLSyncError) {
    guard !answers.isEmpty else { return }
    try writing { (connection) throws(StoreFailure) in
      let table = RequestTable(connection: connection)
      for answer in answers { try table.answer(answer, now: now) }
      try table.removeOld(now: now)
    }
  }

  /// What commands said about the order of a scope's tasks.
  package func standings(of scope: Scope) throws(DLSyncError) -> [TaskID: Standing] {
    try reading { (connection) throws(StoreFailure) in
      var found: [TaskID: Standing] = [:]
      let rows = try connection.statement(
        """
        SELECT id, standing.priority, rank, scope.name FROM standing JOIN task ON task.number = task
          JOIN scope ON scope.number = task.scope
        """)
      while try rows.step() {
        guard rows.text(3) == scope.text else { continue }
        found[TaskID(value: UInt64(bitPattern: rows.integer(0)))] = Standing(
          priority: rows.isNull(1) ? nil : rows.double(1), rank: rows.integerOrNull(2).map(Int.init))
      }
      return found
    }
  }
}
