internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore

extension QueueSession {
  /// Changes the configuration, in the record and in the run.
  func updateConfiguration(_ change: (inout QueueConfiguration) -> Void) async throws(DLSyncError) {
    await gate.enter()
    defer { gate.leave() }
    try requireOpen()
    let present = declaration.configuration
    var wanted = present
    change(&wanted)
    try wanted.validate()
    let changes = wanted.changes(from: present.recordedSettings)
    guard !changes.isEmpty else { return }
    let fixed = changes.filter(\.isFixedWhileRunning).map(\.key)
    if !fixed.isEmpty, isStarting { throw .runs(name, fixed) }
    if !fixed.isEmpty, let run {
      guard await run.execution.isOver else { throw .runs(name, fixed) }
      await untilOver()
    }
    let declaration = QueueDeclaration(name, wanted)
    let renewed = wanted.mode == present.mode ? [] : try await recordedRequests()
    try await store.record(declaration, of: scope, requests: renewed, now: .now)
    setDeclaration(declaration)
    keepRequests(renewed)
    await run?.execution.reconfigure(declaration)
  }

  /// The requests of all tasks, as far as they are known.
  private func recordedRequests() async throws(DLSyncError) -> [FileEntry] {
    try await store.requestedTasks(of: scope, name, onlyOpen: false).filter(\.isWhole)
      .map { requests[$0.entry.id] ?? $0.entry }
  }

  /// After a change of the mode: what the record has no longer, or has by now.
  private func keepRequests(_ all: [FileEntry]) {
    guard !all.isEmpty else { return }
    let isForeground = declaration.configuration.mode == .foreground
    requests = isForeground ? Dictionary(all.map { ($0.id, $0) }) { first, _ in first } : [:]
  }

  /// Whether a published file is what it should be.
  func validate(_ task: TaskSnapshot, _ checksum: Digest?) async throws(DLSyncError) -> VerifiedFile.Finding {
    guard task.state == .completed, let place = try? Destination(task.destination, root: "/") else {
      throw DLSyncError(.usage, "the task \(task.id) is \(task.state.rawValue): only a completed one has a file")
    }
    let entry = FileEntry(
      scope: scope, url: SourceURL(recorded: task.url), destination: place, queue: name,
      checksums: checksum.map { [$0] } ?? [])
    return await FileCheck().check(entry, recorded: task.fingerprint).finding
  }

  /// What the queue's tasks keep beside their files.
  func cacheInfo() async throws(DLSyncError) -> CacheUsage {
    try requireOpen()
    try await run?.execution.flushJournal()
    return try await workspace.cacheInfo(of: (scope, name))
  }

  /// Behind the gate: nothing that is finished begins again meanwhile.
  func clearCache() async throws(DLSyncError) -> CacheClearance {
    await gate.enter()
    defer { gate.leave() }
    try requireOpen()
    try await run?.execution.flushJournal()
    return try await workspace.clearCache(of: (scope, name))
  }

  /// The task of a URL.
  func task(of url: SourceURL) async throws(DLSyncError) -> TaskID? {
    try requireOpen()
    guard let id = idsByURL[BytewiseText(Redaction.storable(url.text))] else { return nil }
    return try await store.requestedTask(id, of: scope, name) == nil ? nil : id
  }

  func waitUntilFinished() async throws(DLSyncError) {
    try requireOpen()
    let waiter = hub.waiter()
    defer { hub.dismiss(waiter) }
    guard !hub.isFinished else { return }
    switch await waiter.next() {
    case .ended: return
    case .failed(let error): throw error
    case .closed: try requireOpen()
    case .cancelled: break
    }
    throw DLSyncError(.interrupted, "nobody waits for the queue \"\(name)\" any more")
  }
}

extension DLSyncError {
  fileprivate static func runs(_ queue: QueueName, _ keys: [String]) -> DLSyncError {
    DLSyncError(
      .configurationConflict,
      "files of the queue \"\(queue)\" are on their way, and these settings may not change meanwhile: "
        + keys.joined(separator: ", "),
      hint: "suspend its tasks, or wait for their end")
  }
}
