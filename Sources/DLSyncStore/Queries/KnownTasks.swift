import DLSyncModel

/// What is recorded of the files of a plan, found in one scan, or where most of them were seen when the plan was made, by
/// looking for the others. A file whose row says already what it is to say costs a byte: most plans change few of many.
struct KnownTasks {
  /// The columns that recording compares and needs.
  struct Row {
    let number: Int64
    let wanted: Int64
    let state: TaskState
    let queue: Int64

    /// Four columns in this order.
    init(_ row: Statement, from column: Int32) {
      number = row.integer(column)
      wanted = row.integer(column + 1)
      state = TaskState(stored: row.integer(column + 2))
      queue = row.integer(column + 3)
    }
  }

  /// What the record has of one file.
  enum Finding {
    case nothing
    /// Nothing is to be written.
    case asPlanned
    case other(Row)
  }

  private enum Mark: UInt8 { case nothing, asPlanned, other }

  private var marks: [Mark]
  private var rows: [Int: Row] = [:]

  /// Looks through the record once. `isAsPlanned` is asked about each file that has a row.
  init(
    of plan: Plan, scope: Int64, _ connection: Connection, isAsPlanned: (FilePlan, Row) -> Bool
  ) throws(StoreFailure) {
    var marks = plan.files.map { $0.isRecorded ? Mark.asPlanned : .nothing }
    var rows: [Int: Row] = [:]
    try Self.scan(plan, scope: scope, connection) { file, row in
      let isDone = isAsPlanned(plan.files[file], row)
      marks[file] = isDone ? .asPlanned : .other
      if !isDone { rows[file] = row }
      return true
    }
    self.marks = marks
    self.rows = rows
  }

  /// By the file's place in the plan.
  subscript(file: Int) -> Finding {
    switch marks[file] {
    case .nothing: .nothing
    case .asPlanned: .asPlanned
    case .other: rows[file].map(Finding.other) ?? .nothing
    }
  }

  /// Hands on every row of the scope that is a file of the plan, until the body answers false, but for those that are known
  /// to say what they are to say. Few files are looked up one by one.
  static func scan(
    _ plan: Plan, scope: Int64, _ connection: Connection, _ body: (Int, Row) -> Bool
  ) throws(StoreFailure) {
    let open = plan.files.reduce(0) { $1.isRecorded ? $0 : $0 + 1 }
    guard open > 0 else { return }
    if try StateQuery(connection: connection).isFew(open) { return try lookUp(plan, scope: scope, connection, body) }
    var index = TaskIndex(count: plan.files.count)
    let rows = try connection.statement("SELECT scope, id, number, wanted, state, queue FROM task")
    while try rows.step() {
      guard rows.integer(0) == scope else { continue }
      let id = TaskID(value: UInt64(bitPattern: rows.integer(1)))
      guard let file = index.file(of: id, task: { plan.files[$0].entry.id }), !plan.files[file].isRecorded else {
        continue
      }
      if !body(file, Row(rows, from: 2)) { return rows.reset() }
    }
  }

  private static func lookUp(
    _ plan: Plan, scope: Int64, _ connection: Connection, _ body: (Int, Row) -> Bool
  ) throws(StoreFailure) {
    let rows = try connection.statement("SELECT number, wanted, state, queue FROM task WHERE id = ? AND scope = ?")
    for (index, file) in plan.files.enumerated() where !file.isRecorded {
      rows.bind(1, Int64(bitPattern: file.entry.id.value))
      rows.bind(2, scope)
      while try rows.step() {
        if !body(index, Row(rows, from: 0)) { return rows.reset() }
      }
    }
  }
}
