internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore

extension QueueSession {
  /// Makes tasks of requests, or finds those that are there. All are checked before anything is recorded; after that one
  /// that conflicts does not concern the others.
  func enrol(_ wanted: [DownloadRequest]) async throws(DLSyncError) -> [Result<TaskID, DLSyncError>] {
    var entries: [FileEntry] = []
    entries.reserveCapacity(wanted.count)
    for request in wanted { entries.append(try request.entry(of: name, scope, stateFolder: workspace.stateFolder)) }
    await gate.enter()
    defer { gate.leave() }
    try requireOpen()
    var results = [Result<TaskID, DLSyncError>?](repeating: nil, count: entries.count)
    var fresh: [Int] = []
    var firsts: [BytewiseText: Int] = [:]
    for (index, entry) in entries.enumerated() {
      let key = BytewiseText(Redaction.storable(entry.url.text))
      if let first = firsts[key] {
        // Asked for twice at once: what becomes of the first becomes of its equals.
        if !RequestJudge().isSame(entry, as: entries[first]) { results[index] = .failure(.duplicate(entry)) }
        continue
      }
      firsts[key] = index
      if let known = try await known(entry, key) { results[index] = known } else { fresh.append(index) }
    }
    try await add(fresh, of: entries, &results)
    return results.enumerated().map { index, result in
      result ?? results[firsts[BytewiseText(Redaction.storable(entries[index].url.text))]!]!
    }
  }

  /// The task of the same URL, if there is one.
  private func known(_ entry: FileEntry, _ key: BytewiseText) async throws(DLSyncError) -> Result<TaskID, DLSyncError>?
  {
    guard let id = idsByURL[key], let task = try await store.requestedTask(id, of: scope, name) else { return nil }
    guard RequestJudge().isSame(entry, as: task, inFull: requests[id]) else { return .failure(.duplicate(entry)) }
    try await renew(entry, task)
    return .success(id)
  }

  /// What an earlier run did not keep, and renewed credentials, are taken from the new request.
  private func renew(_ entry: FileEntry, _ task: RequestedTask) async throws(DLSyncError) {
    guard task.state != .completed else { return }
    let isForeground = declaration.configuration.mode == .foreground
    let known = requests[entry.id] ?? task.entry
    guard task.isWithheld && requests[entry.id] == nil || known.url.text != entry.url.text else { return }
    if isForeground { requests[entry.id] = entry } else { try await store.renew([entry], in: declaration) }
    if task.state == .suspended, task.errorCode == .interrupted {
      _ = try await accept([(.resume, entry.id)])
    } else if task.state.isAwake {
      look(at: [entry.id])
    }
  }

  private func add(
    _ fresh: [Int], of entries: [FileEntry], _ results: inout [Result<TaskID, DLSyncError>?]
  ) async throws(DLSyncError) {
    let enrolments = try await store.enrol(fresh.map { entries[$0] }, in: declaration, of: scope, now: .now)
    var arrivals: [TaskID] = []
    for (index, enrolment) in zip(fresh, enrolments) {
      let entry = entries[index]
      switch enrolment {
      case .claimed(let path, let scope, let queue):
        results[index] = .failure(.claimed(entry, path, scope, queue))
      case .added:
        results[index] = .success(entry.id)
        idsByURL[BytewiseText(Redaction.storable(entry.url.text))] = entry.id
        if declaration.configuration.mode == .foreground { requests[entry.id] = entry }
        hub.tell(entry.id, .waiting)
        arrivals.append(entry.id)
      }
    }
    guard !arrivals.isEmpty else { return }
    await run?.execution.forgetRemoved(arrivals)
    look(at: arrivals)
  }
}

/// Decides whether a request asks for what a task is about already.
struct RequestJudge {
  /// Against a request of the same moment.
  func isSame(_ entry: FileEntry, as other: FileEntry) -> Bool {
    isSameFile(entry, other) && isSameOrder(entry, other, comparesHeaders: true)
  }

  /// Against a recorded task. `inFull` is its request, as far as this process knows more than the record.
  func isSame(_ entry: FileEntry, as task: RequestedTask, inFull known: FileEntry?) -> Bool {
    guard isSameFile(entry, task.entry) else { return false }
    // Of a completed task its row is all that is left.
    guard task.isWhole else { return true }
    if let known { return isSameOrder(entry, known, comparesHeaders: true) }
    return isSameOrder(entry, task.entry, comparesHeaders: !task.isWithheld)
  }

  private func isSameFile(_ entry: FileEntry, _ other: FileEntry) -> Bool {
    entry.destination.path.utf8.elementsEqual(other.destination.path.utf8) && entry.size == other.size
      && Set(entry.checksums) == Set(other.checksums)
  }

  private func isSameOrder(_ entry: FileEntry, _ other: FileEntry, comparesHeaders: Bool) -> Bool {
    recordable(entry.options.settings) == recordable(other.options.settings)
      && (!comparesHeaders || entry.options.hasSameHeaders(as: other.options))
  }

  /// What a record without header values and credentials has of settings.
  private func recordable(_ settings: FileSettings) -> FileSettings {
    func plain(_ url: SourceURL) -> SourceURL { SourceURL(recorded: Redaction.storable(url.text)) }
    var settings = settings
    settings.headers = []
    settings.mirrors = settings.mirrors.map(plain)
    settings.listedChecksums = settings.listedChecksums.map { list in
      guard case .url(let url) = list.place else { return list }
      return ListedChecksum(place: .url(plain(url)), algorithm: list.algorithm, name: list.name)
    }
    return settings
  }
}

extension DLSyncError {
  fileprivate static func duplicate(_ entry: FileEntry) -> DLSyncError {
    DLSyncError(
      .duplicateTaskConflict,
      "the queue \"\(entry.queue)\" has a task for \"\(entry.url.shown)\", with other parameters",
      hint: "remove that task first, ask for the same as before, or use another queue")
  }

  fileprivate static func claimed(
    _ entry: FileEntry, _ path: String, _ scope: Scope, _ queue: QueueName
  ) -> DLSyncError {
    let what =
      path.utf8.elementsEqual(entry.destination.path.utf8)
      ? "is the destination" : "cannot be beside \"\(path)\", the destination"
    return DLSyncError(
      .destinationConflict, "\"\(entry.destination)\" \(what) of a task in the queue \"\(queue)\" of \"\(scope)\"",
      hint: "choose another destination, or remove that task")
  }
}
