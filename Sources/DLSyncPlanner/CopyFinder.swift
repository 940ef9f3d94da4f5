import DLSyncModel

/// Finds files whose bytes need not travel because they are here already, or will be.
struct CopyFinder {
  let manifest: Manifest
  let stored: StoredState
  let records: RecordIndex
  let survey: DiskSurvey
  /// Decides an entry that is not planned: a finished one can be copied from, one that would be fetched will not be.
  let judge: (Int) -> Verdict

  /// Of entries that are one transfer, one fetches and the others copy; where one is here already, all others copy it.
  /// What cannot give its bytes (a conflict, a held or kept file) is no source.
  func shareTransfers(_ groups: [[Int]], _ board: inout PlanBoard) {
    for group in groups {
      let receivers = group.compactMap { board.place(of: $0) }.filter { board.isOpen($0) }
      guard !receivers.isEmpty else { continue }
      if let (entry, copy) = finished(group, board) {
        for receiver in receivers where fits(board, receiver, manifest.files[entry]) { board.copy(receiver, copy) }
        continue
      }
      let fetcher = receivers.first { board.files[$0].reason == .resume } ?? receivers[0]
      for receiver in receivers where receiver != fetcher && fits(board, receiver, board.files[fetcher].entry) {
        board.copy(receiver, Copy(file: fetcher))
      }
    }
  }

  /// Entries whose declared SHA-256 is that of a finished file of this manifest's records are copied from it.
  func shareDigests(_ board: inout PlanBoard) {
    guard stored.tasks.contains(where: \.isPublished) else { return }
    var wanted = WantedDigests()
    for place in board.files.indices where board.isOpen(place) {
      if let digest = board.files[place].entry.sha256 { wanted.add(digest, place) }
    }
    guard !wanted.isEmpty else { return }
    for number in stored.tasks.indices where stored.tasks[number].state == .completed {
      // Most files are nobody's wish.
      guard wanted.mayHave(stored.tasks[number].fingerprintBytes), let file = stored.tasks[number].published else {
        continue
      }
      let receivers = wanted.owners(of: file.fingerprint)
      guard let first = receivers.first, board.isOpen(first), let copy = copy(ofRecord: number, file, board) else {
        continue
      }
      for receiver in receivers { board.copy(receiver, copy) }
    }
  }

  /// Entries whose bytes lie in a cache, or at a destination of another manifest, are copied from there.
  func shareElsewhere(_ board: inout PlanBoard) {
    guard !survey.elsewhere.isEmpty else { return }
    for place in board.files.indices where board.isOpen(place) {
      let entry = board.files[place].entry
      guard let source = entry.checksums.lazy.compactMap({ survey.elsewhere[$0] }).first,
        entry.size == nil || entry.size?.bytes == source.published.identity.size
      else { continue }
      board.copy(place, Copy(source: source))
    }
  }

  private func finished(_ group: [Int], _ board: PlanBoard) -> (entry: Int, copy: Copy)? {
    for member in group {
      if let copy = copy(of: member, board) { return (member, copy) }
    }
    return nil
  }

  /// A copy of an entry that is as it should be, planned or not.
  private func copy(of entry: Int, _ board: PlanBoard) -> Copy? {
    if let place = board.place(of: entry) {
      let file = board.files[place]
      return file.action == .reuse && file.reason != .kept && file.reason != .copied ? Copy(file: place) : nil
    }
    let verdict = judge(entry)
    guard verdict.action == .reuse, let published = verdict.published else { return nil }
    return Copy(source: CopySource(path: manifest.files[entry].destination.path, published: published))
  }

  /// A copy of a recorded file: of its entry, or where no entry names it, of what looks untouched on disk. A doubt is no
  /// hindrance there: the copy has to prove itself by the declared digest, and is fetched when it cannot.
  private func copy(ofRecord number: Int, _ file: PublishedFile, _ board: PlanBoard) -> Copy? {
    if let owner = records.owner(of: number) { return copy(of: owner, board) }
    let path = stored.tasks[number].destination
    guard case .file(let identity) = survey.recorded[BytewiseText(path)], identity.isUntouched(since: file.identity)
    else {
      return nil
    }
    return Copy(source: CopySource(path: path, published: file))
  }

  private func fits(_ board: PlanBoard, _ receiver: Int, _ source: FileEntry) -> Bool {
    board.files[receiver].entry.size == nil || board.files[receiver].entry.size == source.size
  }
}
