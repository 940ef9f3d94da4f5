import DLSyncModel

/// Where a file's bytes can be copied from.
struct Copy {
  /// A file of the plan, by its number there.
  var file: Int?
  /// A finished file outside of it.
  var source: CopySource?
}

/// The verdicts of the files that are planned, in the manifest's order, while copies are found among them.
struct PlanBoard {
  /// Copies by entry.
  var copies: [Int: Copy] = [:]
  private(set) var entries: [Int] = []
  private var verdicts: [Verdict] = []
  /// The place of each entry in the plan; -1 where it is not planned.
  private var places: [Int32]

  init(_ files: [FileEntry]) { places = Array(repeating: -1, count: files.count) }

  mutating func add(_ entry: Int, _ verdict: Verdict) {
    places[entry] = Int32(entries.count)
    entries.append(entry)
    verdicts.append(verdict)
  }

  /// The entry's number in the plan.
  func place(_ entry: Int) -> Int? { places[entry] < 0 ? nil : Int(places[entry]) }

  /// The entry's verdict, where it is planned.
  func verdict(_ entry: Int) -> Verdict? { place(entry).map { verdicts[$0] } }

  /// The plan's files.
  func files(_ finish: (Int, Verdict) -> FilePlan) -> [FilePlan] {
    entries.indices.map { finish(entries[$0], verdicts[$0]) }
  }
}

/// Finds files whose bytes need not travel because they are here already, or will be.
struct CopyFinder {
  private let files: [FileEntry]
  private let stored: StoredState
  private let records: RecordIndex
  private let survey: DiskSurvey

  init(_ files: [FileEntry], _ stored: StoredState, _ records: RecordIndex, _ survey: DiskSurvey) {
    self.files = files
    self.stored = stored
    self.records = records
    self.survey = survey
  }

  /// Of entries that are one transfer, one fetches and the others copy; where one is here already, all others copy it.
  /// What cannot give its bytes (a conflict, a held or kept file) is no source. `judge` decides entries that are not
  /// planned: a finished one can be copied from, one that would be fetched will not be.
  func shareTransfers(_ groups: [[Int]], _ board: inout PlanBoard, judge: (Int) -> Verdict) {
    for group in groups {
      let receivers = group.filter { board.verdict($0)?.isCopyable ?? false }
      guard !receivers.isEmpty else { continue }
      if let copy = finished(group, board, judge) {
        for receiver in receivers where fits(receiver, copy.entry) { board.copies[receiver] = copy.copy }
        continue
      }
      let fetcher = receivers.first { board.verdict($0)?.reason == .resume } ?? receivers[0]
      for receiver in receivers where receiver != fetcher && fits(receiver, fetcher) {
        board.copies[receiver] = Copy(file: board.place(fetcher))
      }
    }
  }

  /// Entries whose declared SHA-256 is that of a finished file of this manifest's records.
  func shareDigests(_ board: inout PlanBoard, judge: (Int) -> Verdict) {
    guard stored.tasks.contains(where: { $0.published != nil }) else { return }
    var wanted: [Digest: [Int]] = [:]
    for entry in board.entries where board.copies[entry] == nil {
      guard let digest = files[entry].sha256, board.verdict(entry)!.isCopyable else { continue }
      wanted[digest, default: []].append(entry)
    }
    guard !wanted.isEmpty else { return }
    var recordOwners: [Int: Int] = [:]
    for entry in files.indices { if let number = records[entry] { recordOwners[number] = entry } }
    let unnamed = Set(records.unnamed)
    for (number, task) in stored.tasks.enumerated() where task.state == .completed {
      guard let file = task.published, let receivers = wanted[file.fingerprint] else { continue }
      let copy: Copy?
      if let owner = recordOwners[number] {
        copy = self.copy(of: owner, board, judge)
      } else {
        copy = unnamed.contains(number) ? orphaned(task, file) : nil
      }
      guard let copy else { continue }
      for receiver in receivers { board.copies[receiver] = copy }
      wanted[file.fingerprint] = nil
    }
  }

  private func finished(_ group: [Int], _ board: PlanBoard, _ judge: (Int) -> Verdict) -> (entry: Int, copy: Copy)? {
    for member in group {
      if let copy = copy(of: member, board, judge) { return (member, copy) }
    }
    return nil
  }

  /// A copy of an entry that is as it should be, planned or not.
  private func copy(of entry: Int, _ board: PlanBoard, _ judge: (Int) -> Verdict) -> Copy? {
    let verdict = board.verdict(entry) ?? judge(entry)
    guard verdict.action == .reuse, let published = verdict.published else { return nil }
    if let place = board.place(entry) { return Copy(file: place) }
    return Copy(source: CopySource(path: files[entry].destination.path, published: published))
  }

  /// A copy of a file whose record no entry names, when it looks untouched. A doubt is no hindrance: the copy has to
  /// prove itself by the declared digest, and is fetched when it cannot.
  private func orphaned(_ task: StoredTask, _ file: PublishedFile) -> Copy? {
    guard case .file(let identity) = survey.recorded[task.destination], identity.isUntouched(since: file.identity)
    else { return nil }
    return Copy(source: CopySource(path: task.destination, published: file))
  }

  private func fits(_ receiver: Int, _ source: Int) -> Bool {
    files[receiver].size == nil || files[receiver].size == files[source].size
  }
}
