public import DLSyncModel

/// One file of a ``DownloadQueue``: a value that names a task. Copies speak of the same task, and dropping them ends no
/// transfer.
///
/// Commands throw `taskNotFound` where the task was removed, `taskBusy` while the file is being verified or published,
/// which is short, and `usage` in a state that does not take the command. Every method throws `interrupted` once the queue
/// is closed, and `stateUnavailable` where the record cannot be read or written.
public struct DownloadTask: Sendable, Identifiable {
  /// The task's identity: the same in every run, made from scope, queue and destination.
  public let id: TaskID
  private let session: QueueSession

  init(_ id: TaskID, _ session: QueueSession) {
    self.id = id
    self.session = session
  }

  /// Where the task stands.
  public func snapshot() async throws(DLSyncError) -> TaskSnapshot {
    guard let snapshot = try await session.snapshot(id) else { throw .taskNotFound("\(id)") }
    return snapshot
  }

  /// Releases a suspended or failed task: it waits, with what is confirmed.
  public func resume() async throws(DLSyncError) { try await command(.resume) }

  /// Holds the task back while it waits, runs or waits for another attempt; confirmed bytes are kept. Returns when it does
  /// not run any more.
  public func suspend() async throws(DLSyncError) { try await command(.pause) }

  /// Ends the task unless it is completed: partial data is dropped, a published file stays, and so does the claim on the
  /// destination.
  public func cancel() async throws(DLSyncError) { try await command(.cancel) }

  /// Begins a suspended, failed or canceled task from its first byte.
  public func restart() async throws(DLSyncError) { try await command(.restart) }

  /// Forgets the task, in whatever state, and its partial data. The published file stays; `deleteFile` deletes it where its
  /// SHA-256 is still the recorded one, and throws `destinationModified` where it is not: the task is forgotten then, too.
  public func remove(deleteFile: Bool = false) async throws(DLSyncError) {
    try await command(.remove(deletesFile: deleteFile))
  }

  /// Changes which unfinished task goes first: 0 to 1, higher first. Nothing that runs is interrupted. Throws `usage` for
  /// another number.
  public func setPriority(_ priority: Double) async throws(DLSyncError) {
    guard (0...1).contains(priority) else {
      throw DLSyncError(.usage, "a priority is a number from 0 to 1, and \(priority) is none")
    }
    try await command(.priority(priority))
  }

  /// Gives a suspended, failed or canceled task other request headers; its partial data is dropped. Only tasks of queues
  /// with the mode `background` take it (`usage`): of others, headers are not recorded.
  public func updateHeaders(_ headers: [HeaderField]) async throws(DLSyncError) {
    for header in headers { try header.validate() }
    try await command(.headers(headers))
  }

  /// Reads every byte of the published file. Without a checksum it is compared with the recorded fingerprint.
  ///
  /// Throws `usage` where the task is not completed.
  public func validateFile(checksum: Digest? = nil) async throws(DLSyncError) -> VerifiedFile.Finding {
    try await session.validate(snapshot(), checksum)
  }

  /// Returns when the task is completed, with the absolute path of the file. Goes on waiting over retries and while the task
  /// is suspended; any number of callers may wait.
  ///
  /// Throws the task's own error where it failed, `canceled`, `taskNotFound` where it was removed, `fileSystem` where it is
  /// completed and the file is gone, and `interrupted` where the calling Swift task is cancelled: the transfer goes on then.
  @discardableResult
  public func waitUntilFinished() async throws(DLSyncError) -> String { try await session.waitUntilFinished(id) }

  /// What happens to the task from now on. The sequence ends with the state that ends the task, and is empty where the task
  /// is at its end already; after a ``resume()`` or ``restart()`` there is a new one to be had.
  public var updates: DownloadUpdates { session.hub.subscribe(to: id) }

  private func command(_ command: TaskCommand) async throws(DLSyncError) {
    if let error = try await session.command([(command, id)]).first ?? nil { throw error }
  }
}
