package import DLSyncModel

extension Store {
  /// Everything that planning needs of one scope, from one scan. `runningProcess` is nil throughout: locks tell.
  /// `files` are those of the scope's manifest, if it is at hand: what they say as well is kept once.
  package func state(of scope: Scope, files: [FileEntry] = []) throws(DLSyncError) -> StoredState {
    try reading { (connection) throws(StoreFailure) in
      try StateQuery(connection: connection).state(of: scope, files: files)
    }
  }

  /// What of it concerns some entries: the records of their destinations, and finished files that may have their bytes. Costs
  /// as much as the entries are many, not the record. There may be more in it.
  package func state(of scope: Scope, concerning entries: [FileEntry]) throws(DLSyncError) -> StoredState {
    try reading { (connection) throws(StoreFailure) in
      try StateQuery(connection: connection).state(of: scope, concerning: entries)
    }
  }

  /// Finished files of other scopes by digests that are wanted, a few places each.
  package func files(
    besides scope: Scope, having digests: Set<Digest>
  ) throws(DLSyncError) -> [Digest: [CopySource]] {
    try reading { (connection) throws(StoreFailure) in
      try ElsewhereQuery(connection: connection).files(besides: scope, having: digests)
    }
  }

  /// The files that were about to be published when the last word of their runs was written, by task, each with the one that
  /// was published before. Those of runs that go on are among them.
  package func intents() throws(DLSyncError) -> [TaskID: (intent: PublishedFile, published: PublishedFile?)] {
    try reading { (connection) throws(StoreFailure) in
      var intents: [TaskID: (intent: PublishedFile, published: PublishedFile?)] = [:]
      let rows = try connection.statement(
        """
        SELECT id, intent.fingerprint, intent.device, intent.inode, intent.size, intent.modified, intent.changed, intent.mode,
          intent.recordedAt, task.fingerprint, task.device, task.inode, task.size, task.modified, task.changed, task.mode,
          task.recordedAt FROM intent JOIN task ON task.number = intent.task
        """)
      while try rows.step() {
        guard let intent = PublishedFile(rows, from: 1) else { continue }
        intents[TaskID(value: UInt64(bitPattern: rows.integer(0)))] = (intent, PublishedFile(rows, from: 9))
      }
      return intents
    }
  }

  /// Records the scope, its queues' settings and the tasks of a plan, in one transaction. Tasks to be fetched or copied
  /// become `waiting`, those that settle `completed`; conflicts, kept files and what already stands there are not
  /// touched. When all of it stands there, nothing is written at all.
  ///
  /// Answers the files whose destination another scope claimed since the plan was made: nothing is recorded for them,
  /// and they must not be carried out (`destinationConflict`).
  ///
  /// Files of the queues `handingOver` are the agent's from then on: what it needs of them is recorded as well, and with
  /// it what it does at the end of those queues. `lock` is the lock file of the plan's manifest.
  @discardableResult
  package func record(
    _ plan: Plan, handingOver: Set<QueueName> = [], hook: QueueHook? = nil, lock: LockCoverage? = nil, now: Timestamp
  ) throws(DLSyncError) -> [TaskID] {
    let isRecorded = try reading { (connection) throws(StoreFailure) in
      try PlanRecorder(connection: connection, now: now, handingOver: handingOver).isRecorded(plan)
    }
    guard !isRecorded else { return [] }
    let refused = try writing { (connection) throws(StoreFailure) in
      try PlanRecorder(connection: connection, now: now, handingOver: handingOver, hook: hook, lock: lock).record(plan)
    }
    // Seldom. What a queue's proxy was is not to be read in the log of writes any longer.
    if plan.queues.contains(where: { $0.action == .update && $0.declaration.configuration.mode == .foreground }) {
      _ = try? checkpoint()
    }
    return refused
  }

  /// Records what happened to tasks, in their order and in one transaction. Durable when this returns, unless a loss of
  /// power may take all of it: then only whoever kills the process cannot undo it.
  package func update(_ changes: [TaskChange], now: Timestamp) throws(DLSyncError) {
    guard !changes.isEmpty else { return }
    try writing(isDurable: !changes.allSatisfy(\.mayBeLost)) { (connection) throws(StoreFailure) in
      try ChangeRecorder(connection: connection, now: now, run: run, shown: shown).record(changes)
      unfiled += changes.count(where: \.isPublished)
      guard unfiled > FingerprintIndex.most else { return }
      try FingerprintIndex(connection: connection).file()
      unfiled = 0
    }
  }

  /// Forgets tasks, their responses, errors and pieces; the log tells of each. Unknown ids are no error.
  package func remove(_ ids: [TaskID], now: Timestamp) throws(DLSyncError) {
    try update(ids.map { .state($0, .removed, error: nil) }, now: now)
  }

  /// Every scope that something is recorded of.
  package func scopes() throws(DLSyncError) -> Set<Scope> {
    try reading { (connection) throws(StoreFailure) in
      Set(try StateQuery(connection: connection).scopeNames().values)
    }
  }

  /// The tasks of these scopes (nil: of all) in the order in which they were first recorded.
  package func taskSnapshots(of scopes: [Scope]?) throws(DLSyncError) -> [TaskSnapshot] {
    try reading { (connection) throws(StoreFailure) in
      try SnapshotQuery(connection: connection, scopes: scopes).tasks()
    }
  }

  /// The queues of these scopes (nil: of all) in the order in which they were first recorded.
  package func queueSnapshots(of scopes: [Scope]?) throws(DLSyncError) -> [QueueSnapshot] {
    try reading { (connection) throws(StoreFailure) in
      try SnapshotQuery(connection: connection, scopes: scopes).queues()
    }
  }

  /// The confirmed pieces of tasks, ascending by their lower end. Tasks without any are absent.
  package func pieces(of ids: [TaskID]) throws(DLSyncError) -> [TaskID: [ConfirmedPiece]] {
    try reading { (connection) throws(StoreFailure) in try ResumeQuery(connection: connection).pieces(of: ids) }
  }

  /// What servers told about tasks. Tasks that no server answered for are absent.
  package func responses(of ids: [TaskID]) throws(DLSyncError) -> [TaskID: ResponseRecord] {
    try reading { (connection) throws(StoreFailure) in try ResumeQuery(connection: connection).responses(of: ids) }
  }
}
