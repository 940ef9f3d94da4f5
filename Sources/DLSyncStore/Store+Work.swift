package import DLSyncModel

extension Store {
  /// Whether anything is the agent's to go on with.
  package func hasBackgroundWork() throws(DLSyncError) -> Bool {
    try reading { (connection) throws(StoreFailure) in try WorkTable(connection: connection).hasWork() }
  }

  /// The queues that the agent has something to do in.
  package func backgroundQueues() throws(DLSyncError) -> [BackgroundQueue] {
    try reading { (connection) throws(StoreFailure) in try WorkTable(connection: connection).queues() }
  }

  /// The same, where another connection has written since `version`; nil where none has.
  package func backgroundQueues(
    since version: Int64?
  ) throws(DLSyncError) -> (queues: [BackgroundQueue], version: Int64)? {
    let current = try dataVersion()
    guard current != version else { return nil }
    return (try backgroundQueues(), current)
  }

  /// The entries of a queue that are the agent's to go on with, in the order in which they were recorded.
  package func backgroundEntries(of scope: Scope, _ queue: QueueName) throws(DLSyncError) -> [FileEntry] {
    try reading { (connection) throws(StoreFailure) in
      try WorkTable(connection: connection).entries(of: scope, queue)
    }
  }

  /// Sets what is to be done when all work of these queues has ended.
  package func setHook(_ hook: QueueHook, of scope: Scope, _ queues: Set<QueueName>) throws(DLSyncError) {
    try writing { (connection) throws(StoreFailure) in
      try WorkTable(connection: connection).setHook(hook, of: scope, queues)
    }
  }

  /// Brings the log of writes into the database and empties it: nothing that was deleted can be read in it any more.
  package func purge() throws(DLSyncError) { try checkpoint() }
}
