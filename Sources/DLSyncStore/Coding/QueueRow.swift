import DLSyncModel

/// A queue as the database has it.
struct QueueRow {
  let number: Int64
  let scope: Int64
  let name: QueueName
  /// In the order in which they were recorded, which is that of `QueueConfiguration.settings`.
  let settings: [(key: String, value: String)]

  /// The process that runs it is not recorded: locks tell.
  var stored: StoredQueue {
    StoredQueue(name: name, settings: Dictionary(settings) { first, _ in first }, runningProcess: nil)
  }

  /// Whether its tasks are the agent's.
  var isBackground: Bool { settings.contains { $0.key == "mode" && $0.value == "background" } }

  /// The unit that is confirmed.
  var chunkSize: Int64? {
    settings.first { $0.key == "chunkSize" }.flatMap { Int64($0.value) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// All queues of all scopes.
  static func all(_ connection: Connection) throws(StoreFailure) -> [QueueRow] {
    var queues: [QueueRow] = []
    let rows = try connection.statement("SELECT number, scope, name, settings FROM queue")
    while try rows.step() {
      queues.append(
        QueueRow(
          number: rows.integer(0), scope: rows.integer(1), name: QueueName(rows.text(2)),
          settings: LineCoding.decode(rows.text(3))))
    }
    return queues
  }
}
