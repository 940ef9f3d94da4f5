/// Rows beside a task's own, which few tasks have: removing them is spared where their table is empty. Lives as long as
/// one transaction.
final class SideRows {
  enum Table: Int, CaseIterable { case failure, intent, progress, standing, work }

  private let connection: Connection
  /// Whether a table may hold rows, as far as that was looked at.
  private var mayHold = [Bool?](repeating: nil, count: Table.allCases.count)

  init(_ connection: Connection) { self.connection = connection }

  /// A row was put into the table.
  func note(_ table: Table) { mayHold[table.rawValue] = true }

  /// Removes the task's row, if there is one.
  func clear(_ table: Table, _ task: Int64) throws(StoreFailure) {
    guard try holdsRows(table) else { return }
    let statement = try connection.statement(table.removal)
    statement.bind(1, task)
    try statement.run()
  }

  private func holdsRows(_ table: Table) throws(StoreFailure) -> Bool {
    if let known = mayHold[table.rawValue] { return known }
    let found = try connection.integer(table.look) != nil
    mayHold[table.rawValue] = found
    return found
  }
}

extension SideRows.Table {
  fileprivate var look: StaticString {
    switch self {
    case .failure: "SELECT 1 FROM failure LIMIT 1"
    case .intent: "SELECT 1 FROM intent LIMIT 1"
    case .progress: "SELECT 1 FROM progress LIMIT 1"
    case .standing: "SELECT 1 FROM standing LIMIT 1"
    case .work: "SELECT 1 FROM work LIMIT 1"
    }
  }

  fileprivate var removal: StaticString {
    switch self {
    case .failure: "DELETE FROM failure WHERE task = ?"
    case .intent: "DELETE FROM intent WHERE task = ?"
    case .progress: "DELETE FROM progress WHERE task = ?"
    case .standing: "DELETE FROM standing WHERE task = ?"
    case .work: "DELETE FROM work WHERE task = ?"
    }
  }
}
