/// Files that wait for lists of checksums, each for those that it needs. A value that decides and does nothing.
struct ListWaiters {
  private var missing: [Int: Int] = [:]
  private var files: [ListShelf.Mark: [Int]] = [:]

  /// How many tasks bring them.
  var bringers = 0

  func holds(_ file: Int) -> Bool { missing[file] != nil }

  mutating func add(_ file: Int, _ marks: [ListShelf.Mark]) {
    let marks = Set(marks)
    missing[file] = marks.count
    for mark in marks { files[mark, default: []].append(file) }
  }

  /// A list is here, or cannot be had. Answers the files that wait for nothing more.
  mutating func arrived(_ mark: ListShelf.Mark) -> [Int] {
    (files.removeValue(forKey: mark) ?? []).filter { file in
      guard let count = missing[file] else { return false }
      missing[file] = count > 1 ? count - 1 : nil
      return count <= 1
    }
  }

  /// A file waits no more. One that comes back and is told too early looks again what it lacks.
  mutating func remove(_ file: Int) { missing[file] = nil }

  mutating func removeAll() { (missing, files) = ([:], [:]) }
}
