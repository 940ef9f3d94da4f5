import DLSyncModel

/// Which task stands against a new destination: one that has the path, a folder above it, or something below it. Of two such
/// paths only one can be a file.
struct ClaimQuery {
  /// A task with its destination.
  struct Claim {
    let number: Int64
    let path: String
    let scope: Scope
    let queue: QueueName
  }

  let connection: Connection
  /// Tasks of the scope with this number do not count.
  var besides: Int64?
  /// A folder that nobody has, nor one above it. It holds for as long as the transaction, in which only `besides` gets tasks.
  private var freeFolder: Substring?

  init(connection: Connection, besides: Int64? = nil) {
    self.connection = connection
    self.besides = besides
  }

  /// The task that stands against a destination; nil where it is free.
  func claim(on path: String) throws(StoreFailure) -> Claim? {
    if let claim = try upwards(path[...]) { return claim }
    return try below(path)
  }

  /// Whether a task has a folder above the path or something below it. Neighbours ask for their folder once.
  mutating func isAround(_ path: String) throws(StoreFailure) -> Bool {
    let folder = path[...].folder
    if freeFolder?.utf8.elementsEqual(folder.utf8) != true {
      if try upwards(folder) != nil { return true }
      freeFolder = folder
    }
    return try below(path) != nil
  }

  /// The task that has a path, or the nearest folder above it.
  private func upwards(_ path: Substring) throws(StoreFailure) -> Claim? {
    let rows = try connection.statement(
      """
      SELECT task.number, destination, scope.name, queue.name FROM task JOIN scope ON scope.number = task.scope
        JOIN queue ON queue.number = task.queue WHERE destination = ?1 AND task.scope IS NOT ?2
      """)
    var path = path
    while !path.isEmpty {
      if let found = try first(rows, String(path)) { return found }
      path = path.folder
    }
    return nil
  }

  private func below(_ path: String) throws(StoreFailure) -> Claim? {
    // "0" is the character behind "/".
    let rows = try connection.statement(
      """
      SELECT task.number, destination, scope.name, queue.name FROM task JOIN scope ON scope.number = task.scope
        JOIN queue ON queue.number = task.queue
        WHERE destination > ?1 || '/' AND destination < ?1 || '0' AND task.scope IS NOT ?2 LIMIT 1
      """)
    return try first(rows, path)
  }

  private func first(_ rows: Statement, _ path: String) throws(StoreFailure) -> Claim? {
    rows.bind(1, path)
    rows.bind(2, besides)
    defer { rows.reset() }
    guard try rows.step() else { return nil }
    return Claim(
      number: rows.integer(0), path: rows.text(1), scope: Scope(rows.text(2)), queue: QueueName(rows.text(3)))
  }
}

extension Substring {
  /// What is before the last slash; empty where there is none.
  fileprivate var folder: Substring {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { self[..<$0] } ?? ""
  }
}
