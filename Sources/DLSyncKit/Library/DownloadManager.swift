public import DLSyncModel

/// Downloads files for a program, with everything that the command `dlsync` has: files appear whole or not at all, go on
/// after a crash, and are verified.
///
/// A manager works on one state folder, which any number of programs and `dlsync` commands may share. Its queues are its own:
/// a queue of a scope is open in one process at a time.
///
/// ```swift
/// let manager = DownloadManager(stateFolder: "/var/lib/example/state")
/// let queue = try await manager.open(queue: "models")
/// let task = try await queue.download(
///   DownloadRequest("https://downloads.example.org/model.bin", to: "/srv/models/model.bin"))
/// print("fetched", try await task.waitUntilFinished())
/// await manager.close()
/// ```
///
/// What a program leaves unfinished goes on when the queue is opened again. Dropping a manager, a queue or a task ends no
/// transfer; ``close()`` stops all of them and leaves them resumable.
public final class DownloadManager: Sendable {
  /// The state folder and what else it can do: plan and apply manifests, tell what is recorded.
  public let workspace: Workspace
  /// What tells this program's queues from those of manifests and other programs on the same state folder.
  public let scope: Scope
  private let queues: OpenQueues

  /// Makes nothing and opens nothing until the first queue is opened.
  ///
  /// - Parameters:
  ///   - stateFolder: A path, from the working folder where it is relative. The folder is made where it is missing, for its
  ///     owner alone.
  ///   - scope: A name for this program's queues. A manifest of that `name` on the same state folder would have them in
  ///     common with it, and prune what it does not name; with the parentheses of the default there can be none.
  ///   - environment: Where proxies are looked for (`http_proxy` and so on), usually the process's own.
  ///   - cacheFolder: Where bytes of finished files are kept for whoever wants the same elsewhere, a path like `stateFolder`;
  ///     any number of managers and commands may share it. Nil keeps none.
  public init(
    stateFolder: String, scope: Scope = Scope("(library)"), environment: [String: String] = [:],
    cacheFolder: String? = nil
  ) {
    var workspace = Workspace(stateFolder: stateFolder, environment: environment)
    workspace.cacheFolder = cacheFolder.map(WorkingFolder.folder)
    self.workspace = workspace
    self.scope = scope
    queues = OpenQueues(workspace, scope)
  }

  /// Opens a queue, which is made where it is new. What is unfinished in it goes on at once.
  ///
  /// `configuration` changes the recorded configuration, or the defaults where the queue is new. What it leaves alone stays;
  /// a difference from the record throws `configurationConflict`, and ``DownloadQueue/updateConfiguration(_:)`` is the way to
  /// change it.
  ///
  /// ```swift
  /// let queue = try await manager.open(queue: "models") { $0.concurrency = 6 }
  /// ```
  ///
  /// A queue with the mode `background` records requests whole, header values and credentials included, in a database that
  /// only its owner can read, until they are completed: its tasks always go on, and when this program is gone the agent of
  /// `dlsync` goes on with them. A `foreground` queue does not record header values and credentials. A task that needs them
  /// is suspended when the queue is opened again, until the same is asked for again with ``DownloadQueue/download(_:)``.
  ///
  /// Throws `usage` where the name is empty or holds a control character, or a value is out of its range,
  /// `configurationConflict`, `queueLimitExceeded` beyond 64 open queues in
  /// the process, `stateLocked` where another process or manager has the queue, `stateUnavailable`, `stateTooNew`.
  public func open(
    queue name: String, configuration: (inout QueueConfiguration) -> Void = { _ in }
  ) async throws(DLSyncError) -> DownloadQueue {
    let name = QueueName(name)
    try name.validate()
    await queues.gate.enter()
    defer { queues.gate.leave() }
    if let session = await queues.session(name) {
      let present = await session.declaration.configuration
      var wanted = present
      configuration(&wanted)
      try wanted.requireEqual(present.recordedSettings, of: name)
      return DownloadQueue(session)
    }
    let tenure = try await queues.tenure(name)
    let recorded = try await queues.recorded(name)
    var wanted = recorded.map { QueueConfiguration(settings: $0.values, proxy: $0.proxy) } ?? QueueConfiguration()
    configuration(&wanted)
    try wanted.validate()
    if let recorded { try wanted.requireEqual(recorded.values, of: name) }
    return DownloadQueue(try await queues.open(QueueDeclaration(name, wanted), tenure, isNew: recorded == nil))
  }

  /// Stops every queue and gives it up. What is unfinished is left resumable, and whoever waits for it learns `interrupted`.
  /// A queue may be opened again.
  public func close() async {
    await queues.gate.enter()
    defer { queues.gate.leave() }
    await queues.close()
  }
}
