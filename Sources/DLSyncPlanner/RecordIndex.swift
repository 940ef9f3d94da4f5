import DLSyncModel

/// Which record is whose. A file's destination is what makes it the same file: an entry that moved to another queue keeps
/// its record.
struct RecordIndex {
  /// The record of each entry, as an index into the stored tasks; -1 for none.
  private var records: [Int32]
  /// Records whose destination no entry names, as indexes into the stored tasks.
  private(set) var unnamed: [Int] = []

  /// Asks for every record whose it is; time grows linearly with them.
  init(_ tasks: [StoredTask], _ files: [FileEntry], _ destinations: DestinationIndex) {
    records = Array(repeating: -1, count: files.count)
    for (number, task) in tasks.enumerated() where task.state != .removed {
      guard let entry = destinations.entry(of: task.destination) else {
        unnamed.append(number)
        continue
      }
      let known = records[entry]
      if known < 0 || Self.isBetter(task, than: tasks[Int(known)], for: files[entry]) {
        records[entry] = Int32(number)
      }
    }
  }

  /// The record of an entry, as an index into the stored tasks.
  subscript(entry: Int) -> Int? { records[entry] < 0 ? nil : Int(records[entry]) }

  /// Where several queues left records of one destination, the entry's own counts, then one that published a file.
  private static func isBetter(_ task: StoredTask, than other: StoredTask, for entry: FileEntry) -> Bool {
    if (task.id == entry.id) != (other.id == entry.id) { return task.id == entry.id }
    return task.published != nil && other.published == nil
  }
}
