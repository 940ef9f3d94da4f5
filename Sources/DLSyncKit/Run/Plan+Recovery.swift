internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore

/// What of killed runs was in the way of a plan.
struct RunRecovery {
  /// What people should know.
  var notices: [String] = []
  /// Files that cannot be begun: the name of their partial data is that of somebody's file.
  var refusals: [TaskID: DLSyncError] = [:]
}

extension Plan {
  /// Puts in order what a run of these queues left that was killed while it published: nothing but partial data bears the
  /// names of partial data afterwards, and none of it is left of files that are in place. Before anything of this plan is
  /// recorded, because that forgets what the killed run was about to do.
  func settleKilledPublications(of queues: Set<QueueName>, _ store: Store) async throws(DLSyncError) -> RunRecovery {
    let killed = try await KilledPublications(store)
    let files = files.lazy.filter { queues.contains($0.entry.queue) }
    var recovery = RunRecovery()
    var begunAnew: [TaskChange] = []
    for file in files where killed.concern(file.entry.id) {
      do throws(DLSyncError) {
        if let notice = try killed.settle(file.entry.id, at: file.entry.destination) { recovery.notices.append(notice) }
        // What was about to be published is not what the partial data is from now on.
        if file.isBegunAnew { begunAnew.append(.state(file.entry.id, .waiting, error: nil)) }
      } catch {
        recovery.refusals[file.entry.id] = error
      }
    }
    try await store.update(begunAnew, now: .now)
    removeLeftovers(of: files.filter { $0.settles != nil }.map(\.entry))
    return recovery
  }

  /// The same also of the agent's queues, as far as nobody runs them now: whoever begins one of them settles what he finds,
  /// but this plan records what is in place before.
  func settleKilledPublications(
    of queues: Set<QueueName>, agents: Set<QueueName>, locksFolder: String, _ store: Store
  ) async throws(DLSyncError) -> RunRecovery {
    let locks = QueueLock.takeFree(agents, of: scope, folder: locksFolder)
    defer { for lock in locks.values { lock.release() } }
    return try await settleKilledPublications(of: queues.union(locks.keys), store)
  }

  /// The same plan, in which these files are conflicts: their record stays as it is, so that the next run finds what is to be
  /// settled.
  func refusing(_ refusals: [TaskID: DLSyncError]) -> Plan {
    guard !refusals.isEmpty else { return self }
    return Plan(
      scope: scope, source: source, queues: queues,
      files: files.map { file in
        guard let error = refusals[file.entry.id] else { return file }
        return FilePlan(entry: file.entry, action: .conflict, reason: .destinationModified, error: error)
      }, orphans: orphans, warnings: warnings)
  }
}

extension FilePlan {
  /// Whether other bytes come than those that a killed run was about to publish. A refresh may find that none do.
  fileprivate var isBegunAnew: Bool { action == .download ? !isHeld && reason != .stale : isCopied }
}

/// What runs were about to publish when the last word of them was written. Of a run that goes on it tells nothing: whoever
/// asks holds the locks of the tasks' queues.
struct KilledPublications {
  private let intents: [TaskID: (intent: PublishedFile, published: PublishedFile?)]

  init(_ store: Store) async throws(DLSyncError) { intents = try await store.intents() }

  /// Whether a task was about to be published.
  func concern(_ id: TaskID) -> Bool { intents[id] != nil }

  /// Gives a file of somebody that bears the name of partial data one of its own. Answers what people should know.
  func settle(_ id: TaskID, at destination: Destination) throws(DLSyncError) -> String? {
    guard let known = intents[id],
      let path = try KeptFile.settle(
        id, at: destination, intent: known.intent, published: known.published)
    else { return nil }
    return "a run was killed while it replaced \"\(destination)\"; the file that was there lies at \"\(path)\""
  }

  /// What lies at a file's destination, where that is what was to be published there: for who settles it without a plan.
  /// Reads the file.
  func published(_ entry: FileEntry) async -> PublishedFile? {
    guard let intent = intents[entry.id]?.intent, let before = Self.look(at: entry.destination),
      before.isSameFile(as: intent.identity)
    else { return nil }
    let bytesAlone = entry.replacing(checksums: [], options: entry.options)
    guard await FileCheck().check(bytesAlone, recorded: intent.fingerprint).finding == .intact,
      let after = Self.look(at: entry.destination), after == before
    else { return nil }
    return PublishedFile(fingerprint: intent.fingerprint, identity: after, recordedAt: .now)
  }

  private static func look(at destination: Destination) -> FileIdentity? {
    let seen = Surveyor().survey(recorded: [destination.path])
    guard case .file(let identity)? = seen[BytewiseText(destination.path)] else { return nil }
    return identity
  }
}
