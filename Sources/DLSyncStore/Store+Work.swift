package import DLSyncModel

extension Store {
  /// Whether anything is the agent's to go on with, or to tell.
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
  package func backgroundEntries(of scope: Scope, _ queue: QueueName) throws(DLSyncError) -> [BackgroundEntry] {
    try reading { (connection) throws(StoreFailure) in
      try WorkTable(connection: connection).entries(of: scope, queue)
    }
  }

  /// Takes the ends that are yet to be told, of queues in which nothing is left to do. Each is given once, whatever
  /// becomes of the process that took it.
  package func takeEnds() throws(DLSyncError) -> [OwedEnd] {
    let isOwed = try reading { (connection) throws(StoreFailure) in
      try !WorkTable(connection: connection).queues(having: .end).isEmpty
    }
    guard isOwed else { return [] }
    return try writing { (connection) throws(StoreFailure) in
      let ends = try HandedTable(connection: connection).takeEnds()
      let rows = try SnapshotQuery(connection: connection, scopes: ends.map(\.queue.scope)).rows()
      return ends.map { end in
        OwedEnd(queue: end.queue, number: end.number, tasks: rows.filter { end.tasks.contains($0.number) }.map(\.task))
      }
    }
  }

  /// Owes an end again that was taken: its command did not come to its end, its texts were told.
  package func oweAgain(_ end: OwedEnd) throws(DLSyncError) {
    try writing { (connection) throws(StoreFailure) in
      try HandedTable(connection: connection).oweAgain(
        end.number, end.tasks.map(\.id), QueueHook(command: end.queue.hook.command))
    }
  }

  /// What the agent does from now on when all work of these queues has ended.
  package func setHook(_ hook: QueueHook, of scope: Scope, _ queues: Set<QueueName>) throws(DLSyncError) {
    try writing { (connection) throws(StoreFailure) in
      try WorkTable(connection: connection).setHook(hook, of: scope, queues)
    }
  }

  /// Brings the log of writes into the database and empties it: nothing that was deleted can be read in it any more. False
  /// where somebody was reading: then it is for the next time.
  package func purge() throws(DLSyncError) -> Bool { try checkpoint() }
}
