package import DLSyncModel

/// What follows from a manifest and the records alone, ready to be held against the disk.
package struct Preparation {
  private let manifest: Manifest
  private let stored: StoredState
  private let options: PlanningOptions
  private let destinations: DestinationIndex
  private let twins: TwinIndex
  private let claims: ClaimIndex
  private let records: RecordIndex
  private let queues: QueueJudge
  private let judge: FileJudge

  init(_ manifest: Manifest, _ stored: StoredState, _ options: PlanningOptions) {
    self.manifest = manifest
    self.stored = stored
    self.options = options
    let places = EntryPlaces(manifest)
    var destinations = DestinationIndex(manifest.files, places)
    twins = TwinIndex(manifest.files, repeated: destinations.repeated, places)
    claims = ClaimIndex(stored.foreignClaims, manifest.files, destinations)
    records = RecordIndex(stored.tasks, manifest.files, destinations)
    destinations.forgetPaths()
    self.destinations = destinations
    queues = QueueJudge(manifest.queues, stored.queues, selected: options.selection.queues)
    judge = FileJudge(options: options)
  }

  /// Files whose bytes must be read before a decision is possible, in the manifest's order.
  package func questions(_ survey: DiskSurvey) -> [HashRequest] {
    let destinations = complete(survey)
    return selected().compactMap { entry in
      guard !isUnchanged(entry, survey), refusal(entry, destinations) == nil,
        case .question(let algorithms) = judgement(entry, survey, .unread)
      else { return nil }
      return HashRequest(entry: entry, algorithms: algorithms)
    }
  }

  /// Recorded destinations that no entry names and whose files may be copied: they are to be looked at, without following
  /// a link at their end, for `DiskSurvey.recorded`.
  package func sources(_ survey: DiskSurvey) -> [String] {
    guard !records.unnamed.isEmpty else { return [] }
    let wanted = openDigests(survey) { _ in .unread }
    return records.unnamed.compactMap { number in
      let task = stored.tasks[number]
      guard task.state == .completed, let file = task.published, wanted.contains(file.fingerprint) else { return nil }
      return task.destination
    }
  }

  /// What the files that would be fetched are declared to be: bytes that may lie elsewhere, for `DiskSurvey.elsewhere`. All
  /// questions have been answered.
  package func wanted(_ survey: DiskSurvey) -> Set<Digest> {
    openDigests(survey) { .read(survey.digests[$0] ?? [:]) }
  }

  /// The plan. A file that a question named and that has no digest in the survey counts as unreadable.
  package func plan(_ survey: DiskSurvey) -> Plan {
    precondition(survey.observations.count == manifest.files.count, "every entry has an observation")
    let destinations = complete(survey)
    var board = PlanBoard(entries: manifest.files.count)
    for entry in selected() {
      board.add(entry, unchanged(entry, survey, destinations) ?? file(entry, verdict(entry, survey, destinations)))
    }
    let copies = CopyFinder(manifest: manifest, stored: stored, records: records, survey: survey) {
      verdict($0, survey, destinations)
    }
    copies.shareTransfers(twins.groups, &board)
    copies.shareDigests(&board)
    copies.shareElsewhere(&board)
    return Plan(
      scope: manifest.scope, source: manifest.source, queues: queues.plans, files: board.files, orphans: orphans,
      warnings: FreeSpaceCheck(board, survey).warnings)
  }

  /// What stands against entries whatever was seen and recorded: clashes within the manifest.
  package var clashes: [FilePlan] {
    manifest.files.indices.compactMap { entry in
      (destinations.refusals[entry] ?? twins.refusals[entry]).map { file(entry, .conflict($0)) }
    }
  }

  private func openDigests(_ survey: DiskSurvey, _ digests: (Int) -> KnownDigests) -> Set<Digest> {
    let destinations = complete(survey)
    var wanted: Set<Digest> = []
    for entry in selected() where manifest.files[entry].hasChecksums && refusal(entry, destinations) == nil {
      guard case .verdict(let verdict) = judgement(entry, survey, digests(entry)), verdict.isCopyable else { continue }
      wanted.formUnion(manifest.files[entry].checksums)
    }
    return wanted
  }

  // MARK: One entry

  private func selected() -> some Sequence<Int> {
    let (files, repeated, selection) = (manifest.files, destinations.repeated, options.selection)
    return files.indices.lazy.filter { entry in
      (repeated.isEmpty || !repeated.contains(entry)) && (selection.isEverything || selection.contains(files[entry]))
    }
  }

  /// The clashes of the manifest, with those that only the disk shows.
  private func complete(_ survey: DiskSurvey) -> DestinationIndex {
    guard !survey.aliases.isEmpty else { return destinations }
    var complete = destinations
    complete.refuseAliases(survey.aliases)
    return complete
  }

  /// What stands against an entry, whatever is at its destination.
  private func refusal(_ entry: Int, _ destinations: DestinationIndex) -> Refusal? {
    // Tables that are empty need not be asked a million times.
    if !destinations.refusals.isEmpty, let refusal = destinations.refusals[entry] { return refusal }
    if !twins.refusals.isEmpty, let refusal = twins.refusals[entry] { return refusal }
    if let (path, scope) = claims[entry] { return .claimed(manifest.files[entry], path, by: scope) }
    return queues.refusals.isEmpty ? nil : queues.refusals[manifest.files[entry].queue]
  }

  private func judgement(_ entry: Int, _ survey: DiskSurvey, _ digests: KnownDigests) -> Judgement {
    guard let record = records[entry] else {
      return judge.decide(manifest.files[entry], nil, survey.observations[entry], digests)
    }
    let (file, task) = (manifest.files[entry], stored.tasks[record])
    if judge.isUnchanged(file, task, survey.observations[entry]), let published = task.published {
      return .verdict(.reuse(.unchanged, published, settles: false))
    }
    return judge.decide(file, task, survey.observations[entry], digests)
  }

  private func verdict(_ entry: Int, _ survey: DiskSurvey, _ destinations: DestinationIndex) -> Verdict {
    if let refusal = refusal(entry, destinations) { return .conflict(refusal) }
    guard case .verdict(let verdict) = judgement(entry, survey, .read(survey.digests[entry] ?? [:])) else {
      preconditionFailure("a file that was read leaves no question")
    }
    return verdict
  }

  // MARK: The plan's values

  /// Whether the entry is a finished file that nobody touched: told without a look at anything else, as most files are.
  private func isUnchanged(_ entry: Int, _ survey: DiskSurvey) -> Bool {
    guard let record = records[entry] else { return false }
    return judge.isUnchanged(manifest.files[entry], stored.tasks[record], survey.observations[entry])
  }

  /// The decision for such a file. Nil leaves it to the verdict.
  private func unchanged(_ entry: Int, _ survey: DiskSurvey, _ destinations: DestinationIndex) -> FilePlan? {
    guard isUnchanged(entry, survey), let record = records[entry], refusal(entry, destinations) == nil else {
      return nil
    }
    let file = manifest.files[entry]
    return file.options.permissions == nil ? FilePlan(entry: file, unchanged: stored.tasks[record]) : nil
  }

  private func file(_ entry: Int, _ verdict: Verdict) -> FilePlan {
    var appliesPermissions = false
    if verdict.action == .reuse, let published = verdict.published,
      let wanted = manifest.files[entry].options.permissions
    {
      appliesPermissions = published.identity.mode != wanted
    }
    if verdict.reason == .unchanged, !verdict.settles, !appliesPermissions, let record = records[entry] {
      return FilePlan(entry: manifest.files[entry], unchanged: stored.tasks[record])
    }
    return FilePlan(
      entry: manifest.files[entry], action: verdict.action, reason: verdict.reason, isHeld: verdict.isHeld,
      bytes: verdict.action == .download && verdict.reason != .stale ? bytes(entry, verdict) : nil,
      basis: verdict.basis,
      settles: verdict.settles || appliesPermissions ? verdict.published : nil,
      appliesPermissions: appliesPermissions, error: verdict.error)
  }

  /// What is to be fetched: the declared length, else the one that the server told of the same URL, less what is there.
  private func bytes(_ entry: Int, _ verdict: Verdict) -> ByteCount? {
    let file = manifest.files[entry]
    var total = file.size
    if total == nil, let number = records[entry], file.hasURL(of: stored.tasks[number]) {
      total = stored.tasks[number].totalBytes
    }
    return total.map { ByteCount(max(0, $0.bytes - verdict.confirmed.bytes)) }
  }

  private var orphans: [Orphan] {
    let tasks = records.unnamed.map { stored.tasks[$0] }
      .filter { !options.alsoWanted.contains(BytewiseText($0.destination)) }
    return tasks.sorted { ($0.destination, $0.id.value) < ($1.destination, $1.id.value) }.map {
      Orphan(
        id: $0.id, destination: $0.destination, url: Redaction.url($0.url), queue: $0.queue,
        published: [$0.intent, $0.published].compactMap(\.self))
    }
  }
}

extension FileEntry {
  /// The declared SHA-256.
  var sha256: Digest? { checksums.first { $0.algorithm == .sha256 } }
}
