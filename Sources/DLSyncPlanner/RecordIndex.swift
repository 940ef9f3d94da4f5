import DLSyncModel

/// Which record is whose. A file's destination is what makes it the same file: an entry that moved to another queue keeps
/// its record.
struct RecordIndex {
  /// The record of each entry, as an index into the stored tasks.
  private var records: NumberMap
  /// The entry of each record; none where another record of the same destination counts, or where it is forgotten.
  private var owners: NumberMap
  /// Records whose destination no entry names, as indexes into the stored tasks.
  private(set) var unnamed: [Int] = []

  /// Asks for every record whose it is; time grows linearly with them. Records tend to stand in the manifest's order, so
  /// the entry behind the last one is looked at first.
  init(_ tasks: [StoredTask], _ files: [FileEntry], _ destinations: DestinationIndex) {
    records = NumberMap(count: files.count)
    owners = NumberMap(count: tasks.count)
    var guess = 0
    for number in tasks.indices where tasks[number].state != .removed {
      guard let entry = Self.entry(of: tasks[number], files, destinations, guess) else {
        unnamed.append(number)
        continue
      }
      guess = entry + 1
      if let known = records[entry] {
        guard Self.isBetter(tasks[number], than: tasks[known], for: files[entry]) else { continue }
        owners[known] = nil
      }
      records[entry] = number
      owners[number] = entry
    }
  }

  /// The record of an entry, as an index into the stored tasks.
  subscript(entry: Int) -> Int? { records[entry] }

  /// The entry of a record.
  func owner(of record: Int) -> Int? { owners[record] }

  private static func entry(
    of task: StoredTask, _ files: [FileEntry], _ destinations: DestinationIndex, _ guess: Int
  ) -> Int? {
    if guess < files.count,
      task.isKnownToMatch(files[guess]) || files[guess].pathBytes.hasSameBytes(as: task.destinationBytes),
      destinations.isPlain(guess)
    {
      return guess
    }
    return destinations.entry(of: task.destinationBytes)
  }

  /// Where several queues left records of one destination, the entry's own counts, then one that published a file.
  private static func isBetter(_ task: StoredTask, than other: StoredTask, for entry: FileEntry) -> Bool {
    if (task.id == entry.id) != (other.id == entry.id) { return task.id == entry.id }
    return task.published != nil && other.published == nil
  }
}
