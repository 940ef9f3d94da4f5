/// Finds files by their tasks. Whoever asks in the order of the files, as records mostly lie, is answered without a table.
package struct TaskIndex: Sendable {
  private let count: Int
  private var next = 0
  private var table: TextTable?

  /// An index of so many files.
  package init(count: Int) { self.count = count }

  /// The file of a task, by its number; `task` tells the task of a file.
  package mutating func file(of id: TaskID, task: (Int) -> TaskID) -> Int? {
    if next < count, task(next) == id {
      next += 1
      return next - 1
    }
    let table = table ?? makeTable(task)
    self.table = table
    guard let found = table.find(Self.hash(id), isEqual: { task($0) == id }) else { return nil }
    next = found + 1
    return found
  }

  private func makeTable(_ task: (Int) -> TaskID) -> TextTable {
    var table = TextTable(capacity: count)
    for file in 0..<count {
      let id = task(file)
      _ = table.insert(Self.hash(id), file) { task($0) == id }
    }
    return table
  }

  /// Ids are evenly spread already.
  private static func hash(_ id: TaskID) -> UInt32 { UInt32(truncatingIfNeeded: id.value) }
}
