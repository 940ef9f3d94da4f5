extension Report {
  /// What became of each file of a plan: small where few had something to do, however many there are.
  public struct Outcomes: RandomAccessCollection, Sendable {
    /// The place of each file's outcome; -1 for none.
    private var places: [Int32] = []
    private var ended: [FileOutcome] = []

    /// The first file.
    public var startIndex: Int { 0 }
    /// Behind the last file.
    public var endIndex: Int { places.count }

    /// The outcome of a file, by its index in the plan.
    public subscript(file: Int) -> FileOutcome? { places[file] < 0 ? nil : ended[Int(places[file])] }

    mutating func grow(by count: Int) { places += repeatElement(-1, count: count) }

    mutating func set(_ outcome: FileOutcome) {
      places[outcome.file] = Int32(ended.count)
      ended.append(outcome)
    }
  }
}
