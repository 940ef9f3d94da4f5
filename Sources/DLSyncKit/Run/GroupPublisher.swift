internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// Brings verified files to their final names, durably, in groups: what arrived while one group was on its way makes up the
/// next, so many small files share their flushes and commits and a single large one waits for nobody.
///
/// The order for each group, and what a crash after each step leaves behind:
/// 1. permissions set, data flushed: part files, fetched again;
/// 2. fingerprint and intent recorded: part files, fetched again;
/// 3. moved to the final names, folders flushed: whole files, settled by the recorded intent at the next start;
/// 4. looked at once more and recorded as published, in one commit with the next group's intents: nothing to do.
actor GroupPublisher {
  /// A verified file.
  struct Item {
    /// The file, as an index into the plan.
    let file: Int
    let id: TaskID
    let publication: Publication
    /// What the journal still holds of the task.
    let changes: [TaskChange]

    /// Whether a new file came before anybody was told that it runs: then the record says so when it is published, all at
    /// once. Where more is recorded of it than its entry, that must not outlive the file that it is about.
    let isUntold: Bool

    init(file: Int, id: TaskID, publication: Publication, changes: [TaskChange], isNew: Bool) {
      self.file = file
      self.id = id
      self.publication = publication
      self.changes = changes
      isUntold = isNew && changes.first?.isFirstBeginning == true && changes.dropFirst().allSatisfy(\.isOfServer)
    }

    /// What is recorded before the move.
    func intent(_ file: PublishedFile) -> [TaskChange] {
      isUntold ? [.intent(id, file, keepsState: true)] : changes + [.intent(id, file)]
    }

    /// What is recorded after it.
    func published(_ file: PublishedFile) -> [TaskChange] {
      (isUntold ? changes : []) + [.published(id, file, bytes: file.identity.size)]
    }
  }

  /// What became of one: durable under its name and recorded, or why not.
  struct Outcome {
    let file: Int
    let result: Result<PublishedFile, DLSyncError>
    /// What the record still lacks of a file that was not published.
    var unrecorded: [TaskChange] = []
  }

  private struct Moved {
    let item: Item
    let file: PublishedFile
  }

  private struct Intended {
    let item: Item
    let changes: [TaskChange]
  }

  /// While more is on its way, a group begins at most this often, in nanoseconds: each costs several flushes.
  private static let pace: Int64 = 40_000_000

  nonisolated let executor = ThreadExecutor(name: "dlsync-publish")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let store: Store
  private let checkpoints: Checkpoints
  private let groupLimit: Int
  private let publisher = Publisher()
  private let inbox = Mailbox<Item>()
  /// What became of the files, in groups.
  nonisolated let outcomes = Mailbox<Outcome>()
  /// Whether nothing else is on its way.
  private let isAwaited = Locked(false)
  private var waiting: [Item] = []
  /// The last group, in place and not yet recorded.
  private var moved: [Moved] = []
  private var movedAt = MonotonicInstant.now
  /// What file systems stamped with before it was moved.
  private var movedSince = SystemClock.stamp
  private var begunAt = MonotonicInstant(nanoseconds: 0)

  init(store: Store, checkpoints: Checkpoints, groupLimit: Int) {
    self.store = store
    self.checkpoints = checkpoints
    self.groupLimit = groupLimit
  }

  /// Takes a file, from any thread. `isAwaited`: nothing is on its way that could share its flushes.
  nonisolated func publish(_ item: Item, isAwaited: Bool) {
    self.isAwaited.withLock { $0 = isAwaited }
    inbox.send(item)
  }

  /// No file comes after this; `run` ends when all are through.
  nonisolated func finish() { inbox.finish() }

  /// Publishes until `finish`.
  func run() async {
    while true {
      if waiting.isEmpty, moved.isEmpty, await !inbox.wait() { break }
      waiting += inbox.take()
      if waiting.isEmpty {
        await leaveDoubt()
        waiting += inbox.take()
      } else {
        await linger()
      }
      begunAt = .now
      await advance(Array(waiting.prefix(groupLimit)))
    }
    outcomes.finish()
  }

  /// Ends the thread.
  nonisolated func stop() { executor.stop() }

  /// A change within the clock's grain of the look at the last group would not show later, so the look waits; who comes
  /// meanwhile is in time for the same commit.
  private func leaveDoubt() async {
    let files = moved.map { ($0.item.publication.part, $0.file) }
    let end = movedAt.advanced(by: SystemClock.tick)
    while !publisher.leavesNoDoubt(files, since: movedSince) {
      let now = MonotonicInstant.now
      guard now < end else { return await executor.sleep(until: movedAt.advanced(by: PublishedFile.clockGrain)) }
      await executor.sleep(until: min(end, now.advanced(by: SystemClock.tick / 8)))
    }
  }

  /// Lets a group grow while more is on its way.
  private func linger() async {
    let end = begunAt.advanced(by: Self.pace)
    while waiting.count < groupLimit, MonotonicInstant.now < end, !isAwaited.withLock({ $0 }) {
      await executor.sleep(until: MonotonicInstant.now.advanced(by: Self.pace / 10))
      waiting += inbox.take()
    }
  }

  /// Takes the next group (it may be empty) to its final names, and the last one to its record.
  private func advance(_ group: [Item]) async {
    waiting.removeFirst(group.count)
    let intended = intents(of: flushed(group))
    let published = confirmed()
    do throws(DLSyncError) {
      let changes = published.flatMap { $0.item.published($0.file) } + intended.flatMap(\.changes)
      try await store.update(changes, now: .now)
    } catch {
      return giveUp(placed: published.map(\.item), others: intended.map(\.item), error)
    }
    if !published.isEmpty { checkpoints.reach(.publishedRecorded) }
    outcomes.send(contentsOf: published.map { Outcome(file: $0.item.file, result: .success($0.file)) })
    if !intended.isEmpty { move(intended.map(\.item)) }
  }

  /// The items whose data is durable; the others know why it is not.
  private func flushed(_ group: [Item]) -> [Item] {
    guard !group.isEmpty else { return [] }
    defer { checkpoints.reach(.dataFlushed) }
    return zip(group, publisher.flush(group.map(\.publication))).compactMap { item, error in
      guard let error else { return item }
      refuse(item, error, lacking: item.changes)
      return nil
    }
  }

  private func intents(of items: [Item]) -> [Intended] {
    zip(items, publisher.identities(items.map(\.publication))).compactMap { item, result in
      switch result {
      case .success(let file): return Intended(item: item, changes: item.intent(file))
      case .failure(let error):
        refuse(item, error, lacking: item.changes)
        return nil
      }
    }
  }

  private func move(_ items: [Item]) {
    checkpoints.reach(.intentRecorded)
    movedSince = SystemClock.stamp
    for (item, result) in zip(items, publisher.move(items.map(\.publication))) {
      switch result {
      case .success(let file): moved.append(Moved(item: item, file: file))
      case .failure(let error): refuse(item, error, lacking: item.isUntold ? item.changes : [])
      }
    }
    movedAt = .now
    checkpoints.reach(.moved)
  }

  /// The last group with what the disk shows of it now.
  private func confirmed() -> [Moved] {
    defer { moved = [] }
    let looks = publisher.confirm(moved.map { ($0.item.publication.part, $0.file) }, since: movedSince)
    return zip(moved, looks).map { last, look in
      // Somebody changed or removed it within milliseconds: what was published is still what is recorded.
      Moved(item: last.item, file: look ?? last.file)
    }
  }

  /// The record cannot be written. What is in place is settled by its intent at the next start.
  private func giveUp(placed: [Item], others: [Item], _ error: DLSyncError) {
    for item in placed { refuse(item, error.ofPlaced, lacking: []) }
    for item in others { refuse(item, error, lacking: []) }
  }

  private func refuse(_ item: Item, _ error: DLSyncError, lacking changes: [TaskChange]) {
    outcomes.send(Outcome(file: item.file, result: .failure(error), unrecorded: changes))
  }
}
