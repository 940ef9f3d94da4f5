public import DLSyncModel

/// A queue of a ``DownloadManager``: tasks that share a configuration.
///
/// It is a handle: copies speak of the same queue, and dropping them changes nothing but their subscriptions. Every method
/// throws `interrupted` once the queue is closed, and `stateUnavailable` where the record cannot be read or written.
public struct DownloadQueue: Sendable {
  /// What happened to one task of an operation on all: its id, and why it was refused, or nil where it was done.
  public typealias Outcome = (id: TaskID, error: DLSyncError?)

  private let session: QueueSession

  init(_ session: QueueSession) { self.session = session }

  /// The queue's name.
  public var name: QueueName { session.name }

  // MARK: Tasks

  /// Asks for a file. It is recorded, durably, when this returns, and fetched as soon as the queue has a slot for it. That
  /// costs the same however many tasks there are; ``downloadMany(_:)`` flushes once for all.
  ///
  /// Where the queue has a task for the URL already (credentials in it do not count), equal parameters give that task, in
  /// whatever state it is; other ones throw `duplicateTaskConflict`. Priorities are not compared. A destination that any
  /// task of the state folder has, or that lies above or below such a one, throws `destinationConflict`.
  ///
  /// Throws `usage` or `destinationInvalid` where the request makes no sense.
  @discardableResult
  public func download(_ request: DownloadRequest) async throws(DLSyncError) -> DownloadTask {
    let id = try await session.enrol([request])[0].get()
    return DownloadTask(id, session)
  }

  /// Asks for many files at once, which costs little more than asking for one.
  ///
  /// All requests are checked first: where one makes no sense, this throws and nothing is recorded. After that the results
  /// stand in the order of the requests, and one that conflicts does not undo the others.
  @discardableResult
  public func downloadMany(
    _ requests: [DownloadRequest]
  ) async throws(DLSyncError) -> [Result<DownloadTask, DLSyncError>] {
    try await session.enrol(requests).map { result in result.map { DownloadTask($0, session) } }
  }

  /// Every task of the queue, those of earlier runs included, in the order of their coming.
  public func tasks() async throws(DLSyncError) -> [DownloadTask] {
    try await session.tasks().map { DownloadTask($0.id, session) }
  }

  /// What is recorded of every task, in the order of their coming.
  public func taskSnapshots() async throws(DLSyncError) -> [TaskSnapshot] { try await session.tasks() }

  /// The task of an id; nil where the queue has none.
  public func task(id: TaskID) async throws(DLSyncError) -> DownloadTask? {
    try await session.snapshot(id) == nil ? nil : DownloadTask(id, session)
  }

  /// The task of a URL, whatever credentials are in it; nil where the queue has none.
  public func task(url: SourceURL) async throws(DLSyncError) -> DownloadTask? {
    try await session.task(of: url).map { DownloadTask($0, session) }
  }

  // MARK: The queue as a whole

  /// The queue in numbers.
  public func snapshot() async throws(DLSyncError) -> QueueSnapshot { try await session.snapshot() }

  /// How its files travel.
  public var configuration: QueueConfiguration {
    get async { await session.declaration.configuration }
  }

  /// Changes how files travel, from now on and in later runs.
  ///
  /// Mode, chunk size, connections, network, TLS, timeouts and rate change only while nothing of the queue runs
  /// (`configurationConflict`); files at once, retries and the interval of progress at any time. Throws `usage` where a value
  /// is out of its range.
  ///
  /// ```swift
  /// try await queue.updateConfiguration { $0.concurrency = 8 }
  /// ```
  public func updateConfiguration(_ change: sending (inout QueueConfiguration) -> Void) async throws(DLSyncError) {
    try await session.updateConfiguration(change)
  }

  /// Releases every task that is suspended or failed.
  @discardableResult
  public func resumeAll() async throws(DLSyncError) -> [Outcome] { try await session.commandAll(.resume) }

  /// Holds every task back that waits, runs or waits for another attempt; confirmed bytes are kept.
  @discardableResult
  public func suspendAll() async throws(DLSyncError) -> [Outcome] { try await session.commandAll(.pause) }

  /// Ends every task that is not completed or canceled; partial data is dropped.
  @discardableResult
  public func cancelAll() async throws(DLSyncError) -> [Outcome] { try await session.commandAll(.cancel) }

  /// Forgets every task. Published files stay, unless `deleteFile` finds their bytes unchanged.
  @discardableResult
  public func removeAll(deleteFile: Bool = false) async throws(DLSyncError) -> [Outcome] {
    try await session.commandAll(.remove(deletesFile: deleteFile))
  }

  /// Puts tasks of equal priority into this order: it names every task of the queue, each once, or throws `usage`.
  @discardableResult
  public func reorder(_ ids: [TaskID]) async throws(DLSyncError) -> [Outcome] { try await session.reorder(ids) }

  /// What the queue's tasks have in dlsync's own store and in partial data, and what is in the manager's cache. The cache is
  /// shared: it is counted whole.
  public func cacheInfo() async throws(DLSyncError) -> CacheUsage { try await session.cacheInfo() }

  /// Drops partial data of tasks that are completed or canceled, and empties the manager's cache, which costs other queues
  /// nothing but time. Never a published file, a record, or what an unfinished task goes on with. Answers what went.
  @discardableResult
  public func clearCache() async throws(DLSyncError) -> CacheClearance { try await session.clearCache() }

  // MARK: What happens

  /// What happens in the queue from now on.
  ///
  /// ```swift
  /// for await update in queue.updates {
  ///   if case .finished = update { break }
  /// }
  /// ```
  public var updates: DownloadUpdates { session.hub.subscribe() }

  /// Returns when every task is completed, failed, canceled or removed, at once where that is so. A suspended task keeps it
  /// waiting.
  public func waitUntilFinished() async throws(DLSyncError) { try await session.waitUntilFinished() }

  /// Stops the queue and gives it up; see ``DownloadManager/close()``.
  public func close() async { await session.close() }
}
