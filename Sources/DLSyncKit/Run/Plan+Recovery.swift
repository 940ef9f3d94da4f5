internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore

extension Plan {
  /// Puts in order what a run of these queues left that was killed while it published: nothing but partial data bears the
  /// names of partial data afterwards, and none of it is left of files that are in place. Before anything of this plan is
  /// recorded, because that forgets what the killed run was about to do. Answers what people should know.
  func settleKilledPublications(of queues: Set<QueueName>, _ store: Store) async throws(DLSyncError) -> [String] {
    let files = files.lazy.filter { queues.contains($0.entry.queue) }
    let notices = try await KilledPublications(store).settle(files.map { ($0.entry.id, $0.entry.destination) })
    removeLeftovers(of: files.filter { $0.settles != nil }.map(\.entry))
    return notices
  }

  /// The same also of the agent's queues, as far as nobody runs them now: whoever begins one of them settles what he finds,
  /// but this plan records what is in place before.
  func settleKilledPublications(
    of queues: Set<QueueName>, agents: Set<QueueName>, locksFolder: String, _ store: Store
  ) async throws(DLSyncError) -> [String] {
    let locks = QueueLock.takeFree(agents, of: scope, folder: locksFolder)
    defer { for lock in locks.values { lock.release() } }
    return try await settleKilledPublications(of: queues.union(locks.keys), store)
  }
}

/// What runs were about to publish when the last word of them was written. Of a run that goes on it tells nothing: whoever
/// asks holds the locks of the tasks' queues.
struct KilledPublications {
  private let intents: [TaskID: (intent: PublishedFile, published: PublishedFile?)]

  init(_ store: Store) async throws(DLSyncError) { intents = try await store.intents() }

  /// Gives a name of its own to each file of somebody that bears the name of partial data. Answers what people should know.
  func settle(_ tasks: some Sequence<(TaskID, Destination)>) throws(DLSyncError) -> [String] {
    guard !intents.isEmpty else { return [] }
    var notices: [String] = []
    for (id, destination) in tasks {
      guard let known = intents[id],
        let path = try KeptFile.settle(
          id, at: destination, intent: known.intent, published: known.published)
      else { continue }
      notices.append(
        "a run was killed while it replaced \"\(destination)\"; the file that was there lies at \"\(path)\"")
    }
    return notices
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
